// The viewer: recordings, clock, camera and settings, and one turn of the browser's animation loop.

import { Camera } from "./camera.js";
import { Clock } from "./clock.js";
import { BUDGET, Frames } from "./frames.js";
import { Renderer } from "./draw.js";
import { PARTICLE_BUDGET, Particles } from "./particles.js";
import { Recording } from "./recording.js";
import { Scene, join } from "./scene.js";
import { AXES, Settings } from "./settings.js";
import { roundUp } from "./colour.js";
import { bodyRows, findBody, readBody } from "./layout.js";
import { length, project, subtract } from "./matrix.js";

// Interval between requests for new frames [ms], and time for which a frame may be missing before
// the clock waits [ms].
const POLL = 1000;
const PATIENCE = 250;

// Particles of another frame are shown until the right ones arrive, if their times differ by less
// than this [s].
const STALE = 1;

// Bounds of an empty scene.
const NOWHERE = { least: [-0.5, -0.5, 0], largest: [0.5, 0.5, 0.5] };

// A recording with its part of the picture.
class Pane {
  constructor(recording, frames, particles, scene) {
    this.recording = recording;
    this.frames = frames;
    // Null if the recording has none.
    this.particles = particles;
    this.scene = scene;
    this.shown = -1;
    this.rect = [0, 0, 1, 1];
    this.shift = [0, 0];
  }
}

export class Viewer {
  constructor(canvas, messages) {
    this.canvas = canvas;
    this.messages = messages;
    this.renderer = new Renderer(canvas);
    this.settings = new Settings();
    this.camera = new Camera();
    this.clock = new Clock();
    this.panes = [];
    // Part of the picture that the panel and the timeline cover, at the right and below [pixels].
    this.covered = [0, 0];
    this.bounds = NOWHERE;
    this.speed = 0;
    // The selected body or obstacle: pane, and id or index.
    this.chosen = null;
    this.isDirty = true;
    this.listeners = [];
    this.drawn = [];
    this.scriptSeconds = 0;
    this.settings.onChange((name) => {
      this.isDirty = true;
      if (name === "shown") this.layOut();
    });
  }

  // Opens recordings and finds the first view.
  async open(count) {
    for (let number = 0; number < count; number += 1) {
      const recording = await Recording.open(number);
      const frames = new Frames(recording, BUDGET / count);
      const particles = recording.header.detail ? new Particles(recording, PARTICLE_BUDGET / count) : null;
      const pane = new Pane(recording, frames, particles, await Scene.create(this.renderer.gl, recording));
      frames.onLoad = (blocks) => this.noteLoaded(pane, blocks);
      if (particles) particles.onLoad = ([{ head }]) => this.noteSpeed(head.fastest);
      for (const source of [frames, particles].filter(Boolean)) {
        source.onChanged = () => this.refresh(pane);
        source.onProblem = (text) => this.noteProblem(pane, text);
      }
      this.panes.push(pane);
    }
    this.setTicks();
    this.layOut();
    await this.findBounds();
    this.lookAtAll();
    const { camera } = this.panes[0].recording.header;
    if (camera) this.camera.place(camera, this.camera.radius);
    if (this.isLive) this.clock.time = this.clock.end;
    setInterval(() => this.poll(), POLL);
  }

  get isLive() {
    return this.panes.some((pane) => pane.recording.isLive);
  }

  // The visible panes.
  get visible() {
    if (this.panes.length < 2 || this.settings.shown === "both") return this.panes;
    return [this.panes[this.settings.shown === "first" ? 0 : 1]];
  }

  setTicks() {
    this.clock.setTicks(this.panes.map((pane) => pane.recording.frames.map((frame) => frame[1])));
    this.changed();
  }

  // The size of the scene follows from the first and the last frame.
  async findBounds() {
    for (const pane of this.panes) {
      const last = pane.recording.frames.length - 1;
      for (const index of new Set([last, 0])) {
        if (index < 0) continue;
        await pane.frames.request(index, index);
        const block = pane.frames.get(index);
        if (block) this.widen(pane.scene.bounds(block));
      }
    }
  }

  widen(bounds) {
    if (!bounds) return;
    const joined = this.bounds === NOWHERE ? bounds : join([this.bounds, bounds]);
    if (["least", "largest"].every((end) => joined[end].every((value, axis) => value === this.bounds[end][axis]))) return;
    this.bounds = joined;
    this.isDirty = true;
    this.camera.radius = Math.max(1e-6, length(subtract(joined.largest, joined.least)) / 2);
  }

  lookAtAll() {
    const { height } = this.canvas;
    const [wide, high] = this.freeSize();
    this.camera.fit(this.bounds, wide / this.visible.length / height, high / height);
    this.isDirty = true;
  }

  // Free part of the picture.
  freeSize() {
    const { width, height } = this.canvas;
    return [Math.max(width / 3, width - this.covered[0]), Math.max(height / 3, height - this.covered[1])];
  }

  noteLoaded(pane, blocks) {
    for (const block of blocks) {
      this.noteSpeed(block.head.fastest);
      // When the page was opened, the last frame of a live run did not exist yet, so the size of
      // the scene was not known.
      if (pane.recording.isLive) this.widen(pane.scene.bounds(block));
    }
    this.messages.clear("server");
    this.changed();
  }

  noteSpeed(fastest) {
    this.speed = Math.max(this.speed, fastest);
    this.changed();
  }

  noteProblem(pane, text) {
    if (text === null) this.messages.show("server", "The server does not answer. Is tumble view still running?");
    else this.messages.show(`frame ${this.panes.indexOf(pane)}`, text);
  }

  // Asks all recordings for new frames. If the clock was at the end of a live run, it stays there.
  async poll() {
    if (document.hidden) return;
    await Promise.all(this.panes.map((pane) => this.refresh(pane)));
    this.changed();
  }

  async refresh(pane) {
    const { recording } = pane;
    const wasAtEnd = this.clock.isAtEnd;
    const wasEmpty = this.panes.every((other) => other.recording.frames.length === 0);
    try {
      const from = await recording.refresh();
      if (recording.isReplaced) {
        // Another run has replaced it: shapes, materials, everything may differ.
        location.reload();
        return;
      }
      this.messages.clear("server");
      const damage = `damage ${this.panes.indexOf(pane)}`;
      if (recording.damage) this.messages.show(damage, recording.damage);
      else this.messages.clear(damage);
      if (from === null) return;
      pane.frames.cut(from);
      if (pane.shown >= from) pane.shown = -1;
      pane.particles?.cut(from);
      if (pane.scene.cloud.index >= from) pane.scene.cloud.clear();
      this.setTicks();
      if (wasAtEnd) this.clock.time = this.clock.end;
      if (wasEmpty) this.findBounds().then(() => this.lookAtAll());
    } catch (problem) {
      const isGone = problem instanceof TypeError || problem.name === "TimeoutError";
      this.noteProblem(pane, isGone ? null : problem.message);
    }
  }

  // Gives each visible pane an equal part of the free area. The last pane extends below the panel,
  // but its centre does not.
  layOut() {
    const { width, height } = this.canvas;
    const panes = this.visible;
    const [wide, high] = this.freeSize();
    const share = Math.floor(wide / panes.length);
    panes.forEach((pane, index) => {
      const own = index === panes.length - 1 ? width - index * share : share;
      pane.rect = [index * share, 0, own, height];
      pane.shift = [share / own - 1, 1 - high / height];
    });
    this.isDirty = true;
    this.changed();
  }

  cover(right, below) {
    this.covered = [right, below];
    this.layOut();
  }

  resize(width, height) {
    if (this.canvas.width === width && this.canvas.height === height) return;
    [this.canvas.width, this.canvas.height] = [width, height];
    this.layOut();
  }

  // One turn: the clock, the frames that belong to its time, the picture if anything in it changed.
  turn(now) {
    const started = performance.now();
    const seconds = Math.min(0.25, (now - (this.lastTurn ?? now)) / 1000);
    this.lastTurn = now;
    const { clock, settings } = this;
    clock.advance(seconds, this.isLive);
    if (settings.turntable) {
      this.camera.orbit(-seconds * 0.35, 0);
      this.isDirty = true;
    }
    let isMissing = false;
    for (const pane of this.panes) {
      isMissing = this.show(pane) || isMissing;
      // The clock does not wait for particles: there may be more than could ever be fetched in
      // time.
      if (pane.particles) this.showParticles(pane);
    }
    this.missingSince = isMissing ? (this.missingSince ?? now) : null;
    clock.isWaiting = isMissing && now - this.missingSince > PATIENCE;
    const isDrawn = this.isDirty;
    if (this.isDirty) this.draw();
    if (clock.isPlaying || isDrawn) this.changed();
    const second = performance.now() - 1000;
    if (isDrawn) {
      this.scriptSeconds = (performance.now() - started) / 1000;
      this.drawn.push(performance.now());
    }
    while (this.drawn.length > 0 && this.drawn[0] < second) this.drawn.shift();
  }

  // Shows a pane's frame for the clock's time. Returns whether it is missing.
  show(pane) {
    const { recording, frames, scene } = pane;
    if (recording.frames.length === 0) return false;
    const wanted = recording.frameAt(this.clock.time);
    const isMoving = this.clock.isPlaying && !this.clock.isWaiting;
    frames.aim(wanted, isMoving ? this.clock.speed * recording.header.fps : 0);
    const best = this.clock.isPlaying ? frames.best(wanted, pane.shown) : frames.best(wanted, wanted);
    if (best !== null && best !== pane.shown) {
      scene.upload(frames.get(best));
      pane.shown = best;
      this.isDirty = true;
    }
    return pane.shown !== wanted && !frames.failed.has(wanted) && best === null;
  }

  // Shows the particles of a pane's frame, or of the nearest frame that has been fetched.
  showParticles(pane) {
    const { recording, particles, scene, shown } = pane;
    if (shown < 0) return;
    const { cloud } = scene;
    if (this.settings.particles) {
      const isMoving = this.clock.isPlaying && !this.clock.isWaiting;
      particles.aim(shown, isMoving ? this.clock.speed * recording.header.fps : 0);
      // While playing, every fetched frame is shown in order; after a jump back all of them count.
      const last = cloud.index > shown ? -1 : cloud.index;
      const best = this.clock.isPlaying ? particles.best(shown, last) : particles.best(shown, shown);
      if (best !== null && best !== cloud.index) {
        scene.uploadParticles(particles.get(best));
        this.isDirty = true;
      }
    }
    const isNear = cloud.index >= 0 && Math.abs(recording.frames[cloud.index][1] - recording.frames[shown][1]) <= STALE;
    const isShown = this.settings.particles && isNear && !particles.failed.has(shown);
    if (isShown !== scene.showsParticles) {
      scene.showParticles(isShown);
      this.isDirty = true;
    }
  }

  draw() {
    this.isDirty = false;
    this.renderer.resize(this.canvas.width, this.canvas.height);
    this.renderer.draw(this.visible.map((pane) => this.paneForDrawing(pane)));
  }

  paneForDrawing(pane) {
    const { settings, camera, bounds } = this;
    const chosen = this.chosen?.pane === pane && this.chosen.body !== undefined ? this.chosen.body : null;
    const { scene, rect, shift } = pane;
    return { scene, rect, shift, settings, camera, bounds, clip: this.clipPlane(), chosen, speed: roundUp(this.speed) };
  }

  // The clip plane: everything with dot(normal, position) above the last number is clipped.
  clipPlane() {
    const { settings, bounds } = this;
    if (!settings.clip) return [0, 0, 0, 1e30];
    const axis = AXES.indexOf(settings.clipAxis);
    const at = bounds.least[axis] + (bounds.largest[axis] - bounds.least[axis]) * settings.clipAt;
    const sign = settings.clipFlip ? -1 : 1;
    const plane = [0, 0, 0, sign * at];
    plane[axis] = sign;
    return plane;
  }

  // The pane at a position of the canvas, and the position in it, from its lower left, all in
  // pixels.
  paneAt(x, y) {
    const fromBelow = this.canvas.height - 1 - y;
    const pane = this.visible.find(({ rect }) => x >= rect[0] && x < rect[0] + rect[2]) ?? this.visible[0];
    return { pane, x: x - pane.rect[0], y: fromBelow };
  }

  // Selects the object at a position of the canvas, and returns it.
  pick(canvasX, canvasY) {
    const { pane, x, y } = this.paneAt(canvasX, canvasY);
    const found = this.renderer.pick(this.paneForDrawing(pane), x, y);
    this.choose(found && { pane, ...found });
    return this.chosen;
  }

  choose(chosen) {
    this.chosen = chosen;
    this.isDirty = true;
    this.changed();
  }

  // The selected body in the shown frame; null if the frame does not have it.
  chosenBody() {
    if (this.chosen?.body === undefined || !this.chosen.pane.scene.block) return null;
    const rows = bodyRows(this.chosen.pane.scene.block);
    const row = findBody(rows, this.chosen.body);
    return row < 0 ? null : readBody(rows, row);
  }

  // Position of a world point on the canvas, in a pane, and the length of a metre there, all in
  // pixels.
  toCanvas(pane, point) {
    const [left, , width, height] = pane.rect;
    const at = project(this.camera.matrix(width / height, pane.shift), subtract(point, this.camera.eye));
    if (!at) return null;
    const metre = height / (2 * this.camera.tangent * at[2]);
    return { x: left + ((at[0] + 1) / 2) * width, y: ((1 - at[1]) / 2) * height, metre };
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  changed() {
    this.hasNews = true;
  }

  // Notifies all listeners, at most once per turn.
  tell() {
    if (!this.hasNews) return;
    this.hasNews = false;
    for (const listener of this.listeners) listener();
  }
}
