// Runs before the first paint, so that a dark page never flashes white, and that whoever is signed in is not shown a page
// that they do not stay at. The keys are the theme library's own and the session's.
// A page is there before the app that takes its forms: sent by the browser itself, a password would end up in the address.
// It was also made before anybody said where they are going: links that keep that (use-on-the-way.ts) get it here, before the
// app's scripts run, whose first render has the same links.
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
  // A button is there before the code that hears it, too: the last one pressed until then is pressed again (show.tsx). React leaves
  // its marks on what it has taken over. It may do so because of the press, and hear it then; a press that it cannot take it stops.
  /** @param {Event} event */
  function press(event) {
    var button = event.target instanceof Element && event.target.closest("#root button");
    document.querySelectorAll("[data-is-pressed]").forEach(function (other) {
      other.removeAttribute("data-is-pressed");
    });
    if (button && Object.keys(button).length === 0) button.setAttribute("data-is-pressed", "");
  }
  document.addEventListener("click", press, true);
  document.addEventListener("click", press);
  // The app's scripts, and a font that few words need, wait in a template until the page is painted: on a thin line they would take
  // the room of what is seen. Where nothing of the page is shown, they wait for nothing.
  /** @type {PerformanceObserver | undefined} */
  var paint;
  function startApp() {
    if (paint) paint.disconnect();
    var app = document.head.querySelector("template");
    if (app) app.replaceWith(app.content);
  }
  function startAppOncePainted() {
    setTimeout(startApp, 2000);
    try {
      paint = new PerformanceObserver(function (paints) {
        if (paints.getEntriesByName("first-contentful-paint").length > 0) startApp();
      });
      paint.observe({ type: "paint", buffered: true });
    } catch {
      startApp();
    }
  }
  document.addEventListener("readystatechange", function () {
    if (document.readyState !== "interactive") return;
    if (document.hidden || page.hasAttribute("data-is-known")) startApp();
    else startAppOncePainted();
    var to = new URLSearchParams(location.search).get("redirect") || "";
    document.querySelectorAll('a[href$="?redirect="]').forEach(function (link) {
      var href = link.getAttribute("href") || "";
      link.setAttribute(
        "href",
        /^\/(?![/\\])/.test(to) ? href + encodeURIComponent(to) : href.slice(0, -"?redirect=".length),
      );
    });
  });
})();
