/**
 * Apply the light theme for sunlit rooms if this device chose it: before the first drawing, and
 * when any page of the browser changes it.
 */
const keptLight = () => {
  try {
    return localStorage.getItem("light");
  } catch {
    // This browser refuses storage: the choice lasts as long as the page.
    return null;
  }
};
/** @param {string | null} chosen "1" for light */
const dress = (chosen) => {
  const isLight = chosen === "1";
  document.documentElement.classList.toggle("light", isLight);
  if (!isLight || document.getElementById("light")) return;
  document.head.append(
    Object.assign(document.createElement("link"), {
      id: "light",
      rel: "stylesheet",
      href: "/static/core/light.css",
    }),
  );
};
dress(keptLight());
addEventListener("storage", ({ key, newValue }) => {
  if (key === "light" || key === null) dress(newValue);
});
