// The keyboard. One table defines the actions of keys and the text of the help.

import { MODES } from "./colour.js";

// Group, key names of the browser, key names for the help, description, action.
export function keyTable({ viewer, help }) {
  const { clock, settings } = viewer;
  const act = (action) => () => {
    action();
    viewer.changed();
  };
  return [
    ["Time", [" "], "Space", "Play or pause", act(() => clock.toggle())],
    ["Time", ["ArrowRight"], "→", "Next frame", act(() => clock.step(1))],
    ["Time", ["ArrowLeft"], "←", "Previous frame", act(() => clock.step(-1))],
    ["Time", ["Shift+ArrowRight"], "⇧ →", "Ten frames forward", act(() => clock.step(10))],
    ["Time", ["Shift+ArrowLeft"], "⇧ ←", "Ten frames back", act(() => clock.step(-10))],
    ["Time", ["Home"], "Home", "First frame", act(() => clock.toTick(0))],
    ["Time", ["End"], "End", "Last frame; follows a live run", act(() => clock.toTick(Infinity))],
    ["Time", ["["], "[", "Slower", act(() => clock.changeSpeed(-1))],
    ["Time", ["]"], "]", "Faster", act(() => clock.changeSpeed(1))],
    ["Time", ["l"], "L", "Loop", act(() => { clock.loops = !clock.loops; })],
    ["Colour", ["c"], "C", "Next colour mode", act(() => settings.cycle("colour"))],
    ["Colour", MODES.map((_, k) => `${k + 1}`), `1 – ${MODES.length}`, "Colour by material, body, speed, sleep, method, layer, held, contacts",
      (key) => act(() => { settings.colour = MODES[Number(key) - 1]; })()],
    ["Scene", ["o"], "O", "Overlays: layers, guides, constraints", act(() => {
      const isOn = settings.layers || settings.guides || settings.constraints;
      for (const name of ["layers", "guides", "constraints"]) settings.set(name, !isOn);
    })],
    ["Scene", ["d"], "D", "Detail: particles, or their carriers", act(() => settings.toggle("particles"))],
    ["Scene", ["b"], "B", "Obstacles as in the scene, solid, glass, none", act(() => settings.cycle("obstacles"))],
    ["Scene", ["x"], "X", "Clip plane", act(() => settings.toggle("clip"))],
    ["Scene", ["Shift+X"], "⇧ X", "Axis of the clip plane", act(() => settings.cycle("clipAxis"))],
    ["Scene", ["g"], "G", "Ground", act(() => settings.toggle("ground"))],
    ["Scene", ["h"], "H", "Shadows", act(() => settings.cycle("light"))],
    ["View", ["f"], "F", "Look at everything", act(() => viewer.lookAtAll())],
    ["View", ["t"], "T", "Turntable", act(() => settings.toggle("turntable"))],
    ["View", ["s"], "S", "Side by side, first, second", act(() => settings.cycle("shown"))],
    ["View", ["p"], "P", "Panel", act(() => settings.toggle("panel"))],
    ["View", ["i"], "I", "Frames per second", act(() => settings.toggle("fps"))],
    ["View", ["?"], "?", "This help", act(() => help.toggle())],
    ["View", ["Escape"], "Esc", "Close the help, clear the selection", act(() => (help.isOpen ? help.toggle() : viewer.choose(null)))],
  ];
}

export function connectKeys(table) {
  // After a click the button loses the focus, so that the space bar does not press it again.
  window.addEventListener("click", (event) => {
    if (event.detail > 0) event.target.closest?.("button, input")?.blur();
  });
  const actions = new Map(table.flatMap(([, keys, , , action]) => keys.map((key) => [key, action])));
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // A focused control keeps the keys that it handles itself.
    const { tagName } = event.target;
    const isPressed = event.key === " " || event.key === "Enter";
    if (isPressed && ["SELECT", "INPUT", "BUTTON"].includes(tagName)) return;
    if (event.key.startsWith("Arrow") && ["SELECT", "INPUT"].includes(tagName)) return;
    const action = actions.get(event.shiftKey && event.key.length > 1 ? `Shift+${event.key}` : event.key)
      ?? actions.get(event.shiftKey && /^[A-Z]$/.test(event.key) ? `Shift+${event.key}` : event.key.toLowerCase());
    if (!action) return;
    event.preventDefault();
    action(event.key);
  });
}
