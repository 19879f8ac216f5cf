// Opens what is closed on the screen while the page is printed.

/** Shows the evidence of all results on paper, and closes it again after printing. */
export function openForPrint() {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll(".results details:not([open])")];
    for (const one of opened) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of opened) one.open = false;
  });
}
