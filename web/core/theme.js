/**
 * Apply the light theme for sunlit rooms if this device chose it: before the first drawing, and
 * when any page of the browser changes it.
 * @param {string | null} chosen "1" for light
 */
const applyTheme = (chosen) => {
  document.documentElement.classList.toggle("light", chosen === "1");
  if (chosen !== "1" || document.getElementById("light")) return;
  document.head.append(
    Object.assign(document.createElement("link"), {
      id: "light",
      rel: "stylesheet",
      href: "/static/core/light.css",
    }),
  );
};
try {
  applyTheme(localStorage.getItem("light"));
} catch {
  // This browser refuses storage: the choice lasts as long as the page.
}
addEventListener("storage", ({ key, newValue }) => key === "light" && applyTheme(newValue));
