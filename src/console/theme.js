// Sets the theme before anything is drawn, and stores the choice of the user.

(() => {
  const root = document.documentElement;
  const saved = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      // Storage is blocked, so the theme of the system is used.
      return null;
    }
  };
  const theme = saved();
  if (theme === "dark" || theme === "light") root.dataset.theme = theme;

  /** Switches between the themes. */
  globalThis.toggleTheme = () => {
    const isDark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    try {
      localStorage.setItem("theme", root.dataset.theme);
    } catch {
      // Storage is blocked, so the choice is lost when the page is closed.
    }
  };
})();
