// Runs before the first paint, so that a dark page never flashes white, and that whoever is signed in is not shown a page
// that they do not stay at. The keys are the theme library's own and the session's.
// A page is there before the app that takes its forms: sent by the browser itself, a password would end up in the address.
(function () {
  var page = document.documentElement;
  var mode = "system";
  try {
    if (localStorage.getItem("terrarium.session")) page.setAttribute("data-is-known", "");
    mode = localStorage.getItem("mui-mode") || "system";
  } catch {
    // Storage may be closed to us; the system's wish then counts.
  }
  var dark = mode === "dark" || (mode === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  page.setAttribute("data-theme", dark ? "dark" : "light");
  document.addEventListener("submit", function (event) {
    event.preventDefault();
  });
})();
