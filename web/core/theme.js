/**
 * Apply the light theme for sunlit rooms if this device chose it: before the first drawing, and
 * when any page of the browser changes it.
 */
const dress = () => {
  const isLight = localStorage.getItem("light") === "1";
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
