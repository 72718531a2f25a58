// Runs before the first paint, so that a dark page never flashes white. The key is the theme library's own.
(function () {
  var mode = "system";
  try {
    mode = localStorage.getItem("mui-mode") || "system";
  } catch {
    // Storage may be closed to us; the system's wish then counts.
  }
  var dark = mode === "dark" || (mode === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-theme", dark ? "dark" : "light");
})();
