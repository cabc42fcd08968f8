/**
 * Apply the light theme for sunlit rooms if this device chose it: before the first drawing, and
 * when any page of the browser changes it.
 */
const dress = () => {
  let isLight = false;
  try {
    isLight = localStorage.getItem("light") === "1";
  } catch {
    // This browser refuses storage, and keeps no choice.
  }
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
dress();
addEventListener("storage", dress);
