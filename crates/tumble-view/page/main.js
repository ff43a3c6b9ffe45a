// Starts the page: opens the recordings, connects the parts, runs the animation loop, updates the
// address.

import { Help } from "./help.js";
import { Messages } from "./message.js";
import { Panel } from "./panel.js";
import { Timeline } from "./timeline.js";
import { Viewer } from "./view.js";
import { automation } from "./automation.js";
import { connectKeys, keyTable } from "./keys.js";
import { connectPointer } from "./pointer.js";
import { recordingCount } from "./recording.js";

// Interval between updates of the address [ms].
const ADDRESS = 500;

const find = (id) => document.getElementById(id);

// Reads the address: settings, camera, frame, and whether the clock runs.
function fromAddress(viewer) {
  const parameters = new URLSearchParams(location.hash.slice(1));
  viewer.settings.fromParameters(parameters);
  const { recording } = viewer.panes[0];
  if (parameters.has("view")) viewer.camera.fromText(parameters.get("view"));
  const number = Number(parameters.get("frame") ?? NaN);
  if (Number.isFinite(number) && recording.frames.length > 0) {
    viewer.clock.toTime(recording.frames[recording.frameNumbered(number)][1]);
  } else {
    viewer.clock.isPlaying = viewer.clock.ticks.length > 1;
  }
}

function toAddress(viewer) {
  const parameters = new URLSearchParams();
  viewer.settings.toParameters(parameters);
  const { recording } = viewer.panes[0];
  const frame = recording.frames[recording.frameAt(viewer.clock.time)];
  if (frame && !viewer.clock.isPlaying) parameters.set("frame", frame[0]);
  parameters.set("view", viewer.camera.toText());
  const hash = `#${parameters}`;
  if (location.hash !== hash) history.replaceState(null, "", hash);
}

function showTitles(viewer) {
  const { visible, canvas } = viewer;
  find("divider").hidden = visible.length < 2;
  find("divider").style.left = `${(100 * visible[visible.length - 1].rect[0]) / canvas.width}%`;
  find("titles").replaceChildren(...visible.map((pane) => {
    const item = document.createElement("div");
    item.style.left = `${(100 * pane.rect[0]) / canvas.width}%`;
    const title = document.createElement("strong");
    title.textContent = pane.recording.title;
    const about = document.createElement("span");
    about.textContent = pane.recording.header.name;
    item.append(title, about);
    return item;
  }));
}

// A ring around the selected body, also if other bodies hide it.
function showMarker(viewer) {
  const marker = find("marker");
  const body = viewer.chosenBody();
  const pane = viewer.chosen?.pane;
  const at = body && viewer.visible.includes(pane) ? viewer.toCanvas(pane, body.position) : null;
  marker.hidden = !at;
  if (!at) return;
  const ratio = viewer.canvas.width / viewer.canvas.clientWidth;
  const spheres = pane.recording.header.shapes[body.shape]?.spheres ?? [];
  const reach = spheres.reduce((most, [x, y, z, r]) => Math.max(most, Math.hypot(x, y, z) + r), 0) || pane.scene.grain;
  const radius = Math.max(8, (reach * body.size * at.metre) / ratio + 4);
  marker.style.width = `${2 * radius}px`;
  marker.style.height = `${2 * radius}px`;
  marker.style.transform = `translate(${at.x / ratio - radius}px, ${at.y / ratio - radius}px)`;
}

function showCosts(viewer) {
  const element = find("fps");
  element.hidden = !viewer.settings.fps;
  if (element.hidden) return;
  const kept = viewer.panes.reduce((sum, pane) => sum + pane.frames.bytes + (pane.particles?.bytes ?? 0), 0) / 1e6;
  const script = (viewer.scriptSeconds * 1000).toFixed(1);
  element.textContent = `${viewer.drawn.length} pictures per second\n${script} ms script\n${kept.toFixed(0)} MB of frames`;
}

// Follows the light or dark theme of the system, also when it changes.
function followTheme(viewer) {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    viewer.renderer.setTheme(dark.matches);
    viewer.isDirty = true;
  };
  dark.addEventListener("change", apply);
  apply();
}

function followSize(viewer) {
  const canvas = find("canvas");
  const apply = () => {
    // More than two device pixels per CSS pixel cost time without a visible gain.
    const ratio = Math.min(2, window.devicePixelRatio);
    viewer.resize(Math.max(1, Math.round(canvas.clientWidth * ratio)), Math.max(1, Math.round(canvas.clientHeight * ratio)));
    const panel = find("panel").getBoundingClientRect();
    const right = panel.width > 0 ? canvas.clientWidth - panel.left : 0;
    viewer.cover(right * ratio, (canvas.clientHeight - find("timeline").getBoundingClientRect().top) * ratio);
  };
  const observer = new ResizeObserver(apply);
  for (const id of ["panel", "timeline"]) observer.observe(find(id));
  try {
    // This box also changes when the page moves to a screen with another pixel ratio; not every
    // browser supports it.
    observer.observe(canvas, { box: "device-pixel-content-box" });
  } catch {
    observer.observe(canvas);
  }
  apply();
}

async function start(viewer) {
  followTheme(viewer);
  followSize(viewer);
  await viewer.open(await recordingCount());
  fromAddress(viewer);
  document.title = `${viewer.panes.map((pane) => pane.recording.title).join(" | ")} – tumble`;
  const help = new Help(find("help"));
  const table = keyTable({ viewer, help });
  help.fill(table);
  connectKeys(table);
  connectPointer(viewer, find("canvas"));
  find("help-toggle").addEventListener("click", () => help.toggle());
  const panel = new Panel(viewer);
  new Timeline(viewer);
  panel.showSettings();
  viewer.onChange(() => {
    showTitles(viewer);
    showMarker(viewer);
    showCosts(viewer);
  });
  find("loading").hidden = true;
  setInterval(() => toAddress(viewer), ADDRESS);
  const turn = (now) => {
    // This comes before anything that may fail, so that an error in one turn does not stop the
    // next.
    requestAnimationFrame(turn);
    viewer.turn(now);
    viewer.tell();
  };
  requestAnimationFrame(turn);
}

const messages = new Messages(find("messages"));
try {
  const viewer = new Viewer(find("canvas"), messages);
  find("canvas").addEventListener("webglcontextlost", () => {
    messages.show("context", "The graphics context was lost. Reload the page.");
  });
  const ready = start(viewer);
  window.tumble = automation(viewer, ready);
  await ready;
} catch (problem) {
  find("loading").hidden = true;
  messages.show("start", problem instanceof TypeError ? `The page could not start: ${problem.message}` : problem.message);
}
