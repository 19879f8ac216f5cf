// Sets the theme before anything is drawn, and keeps the choice that a person made.

(() => {
  const root = document.documentElement;
  const saved = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      // Storage is blocked: the system's theme holds.
      return null;
    }
  };
  const theme = saved();
  if (theme === "dark" || theme === "light") root.dataset.theme = theme;

  /** Changes to the other theme than the one that is shown. */
  globalThis.toggleTheme = () => {
    const isDark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    try {
      localStorage.setItem("theme", root.dataset.theme);
    } catch {
      // It then holds until the page is left.
    }
  };
})();
