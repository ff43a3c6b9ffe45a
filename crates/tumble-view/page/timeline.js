// The bar at the bottom: time, frames, frames in memory, and the number of bodies over the run.

import { SPEEDS } from "./clock.js";

const find = (id) => document.getElementById(id);

export class Timeline {
  constructor(viewer) {
    this.viewer = viewer;
    this.bars = find("bars");
    const { clock } = viewer;
    const press = (id, action) => find(id).addEventListener("click", () => {
      action();
      viewer.changed();
    });
    press("play", () => clock.toggle());
    press("first", () => clock.toTick(0));
    press("last", () => clock.toTick(Infinity));
    press("back", () => clock.step(-1));
    press("next", () => clock.step(1));
    press("loop", () => { clock.loops = !clock.loops; });
    for (const speed of SPEEDS) find("speed").append(new Option(`${speed} ×`, speed));
    find("speed").addEventListener("change", (event) => { clock.speed = Number(event.target.value); });
    this.connectTrack(find("track"));
    viewer.onChange(() => this.show());
  }

  // Scrubbing: the clock follows the pointer; on release it continues if it was running.
  connectTrack(track) {
    const { clock } = this.viewer;
    let wasPlaying = null;
    const scrub = (event) => {
      const box = track.getBoundingClientRect();
      const share = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
      clock.toTick(Math.round(share * (clock.ticks.length - 1)));
      this.viewer.changed();
    };
    track.addEventListener("pointerdown", (event) => {
      track.setPointerCapture(event.pointerId);
      wasPlaying = clock.isPlaying;
      clock.isPlaying = false;
      scrub(event);
    });
    track.addEventListener("pointermove", (event) => {
      if (wasPlaying !== null) scrub(event);
    });
    const release = () => {
      if (wasPlaying) clock.isPlaying = true;
      wasPlaying = null;
    };
    track.addEventListener("pointerup", release);
    track.addEventListener("pointercancel", release);
  }

  show() {
    const { clock, panes } = this.viewer;
    if (panes.length === 0) return;
    const last = Math.max(1, clock.ticks.length - 1);
    find("knob").style.left = `${(100 * clock.tick) / last}%`;
    find("play").setAttribute("aria-pressed", clock.isPlaying);
    find("play").toggleAttribute("data-waiting", clock.isWaiting && clock.isPlaying);
    find("loop").setAttribute("aria-pressed", clock.loops);
    find("speed").value = clock.speed;
    find("live").hidden = !this.viewer.isLive;
    const track = find("track");
    track.setAttribute("aria-valuemax", clock.ticks.length - 1);
    track.setAttribute("aria-valuenow", clock.tick);
    this.showReadout();
    this.drawBars();
  }

  showReadout() {
    const { clock, panes } = this.viewer;
    const { recording } = panes[0];
    const frame = recording.frames[recording.frameAt(clock.time)];
    find("frame").textContent = frame ? `frame ${frame[0]} of ${recording.frames[recording.frames.length - 1][0]}` : "no frames yet";
    find("time").textContent = `${clock.ticks[clock.tick].toFixed(2)} s`;
    const bodies = panes.map((pane) => pane.recording.frames[pane.recording.frameAt(clock.time)]?.[2] ?? 0);
    const { particles } = panes[0];
    const count = particles && this.viewer.settings.particles ? `, ${(frame?.[5] ?? 0).toLocaleString("en")} particles` : "";
    find("bodies").textContent = `${bodies.map((own) => own.toLocaleString("en")).join(" | ")} bodies${count}`;
    find("track").setAttribute("aria-valuetext", find("frame").textContent);
  }

  // Body counts as a faint area, frames in memory as a line below, elapsed time in colour.
  drawBars() {
    const { bars } = this;
    const { clock, panes } = this.viewer;
    const ratio = window.devicePixelRatio;
    const [width, height] = [Math.round(bars.clientWidth * ratio), Math.round(bars.clientHeight * ratio)];
    if (width === 0) return;
    if (bars.width !== width || bars.height !== height) [bars.width, bars.height] = [width, height];
    // The style sheet gives the canvas three colours: for body counts, frames in memory, and
    // elapsed time.
    const style = getComputedStyle(bars);
    const context = bars.getContext("2d");
    context.clearRect(0, 0, width, height);
    const last = Math.max(1, clock.ticks.length - 1);
    const line = Math.round(3 * ratio);
    const base = height - 5 * ratio;
    const frameAtX = (pane, x) => pane.recording.frameAt(clock.ticks[Math.round((x / width) * last)]);
    const most = Math.max(1, ...panes.map((pane) => this.mostBodies(pane.recording)));

    context.fillStyle = style.color;
    context.fillRect(0, base, width, line);
    const step = Math.max(1, Math.round(ratio));
    const { recording } = panes[0];
    for (let x = 0; x < width && recording.frames.length > 0; x += step) {
      const high = (0.72 * height * recording.frames[frameAtX(panes[0], x)][2]) / most;
      context.fillRect(x, base - high, step, high);
    }
    context.fillStyle = style.fill;
    for (let x = 0; x < width; x += step) {
      if (panes.every((pane) => pane.frames.get(frameAtX(pane, x)))) context.fillRect(x, base, step, line);
    }
    context.fillStyle = style.stroke;
    context.fillRect(0, base, (width * clock.tick) / last, line);
  }

  mostBodies({ frames }) {
    if (this.counted !== frames) {
      this.counted = frames;
      this.most = frames.reduce((most, frame) => Math.max(most, frame[2]), 0);
    }
    return this.most;
  }
}
