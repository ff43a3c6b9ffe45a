// A camera that orbits around a point, z up. Both panes of a comparison share it.

import { add, cross, look, multiply, normalize, perspective, scale, subtract, length } from "./matrix.js";

const STEEPEST = (89.5 / 180) * Math.PI;

export class Camera {
  constructor() {
    this.target = [0, 0, 0];
    this.distance = 3;
    // Azimuth about z from x, and elevation above the ground [rad].
    this.azimuth = -1.0;
    this.elevation = 0.35;
    this.fov = 38;
    // Size of the scene, which sets the near and far planes [m].
    this.radius = 1;
  }

  get forward() {
    const flat = Math.cos(this.elevation);
    return [-Math.cos(this.azimuth) * flat, -Math.sin(this.azimuth) * flat, -Math.sin(this.elevation)];
  }

  get right() {
    return [-Math.sin(this.azimuth), Math.cos(this.azimuth), 0];
  }

  get up() {
    return cross(this.right, this.forward);
  }

  get eye() {
    return subtract(this.target, scale(this.forward, this.distance));
  }

  get tangent() {
    return Math.tan((this.fov / 360) * Math.PI);
  }

  get near() {
    return Math.max(this.distance * 0.01, this.radius * 1e-4);
  }

  get far() {
    return this.distance + 40 * this.radius;
  }

  // Matrix from positions relative to the eye to clip space.
  matrix(aspect, shift = [0, 0]) {
    return multiply(perspective(this.tangent, aspect, this.near, this.far, shift), look(this.right, this.up, this.forward));
  }

  orbit(x, y) {
    this.azimuth = (this.azimuth - x) % (2 * Math.PI);
    this.elevation = Math.max(-STEEPEST, Math.min(STEEPEST, this.elevation + y));
  }

  // Pans by a share of the picture's height.
  pan(x, y) {
    const size = 2 * this.tangent * this.distance;
    this.target = add(this.target, add(scale(this.right, -x * size), scale(this.up, y * size)));
  }

  zoom(factor) {
    const [least, most] = [this.radius * 0.005, this.radius * 60];
    this.distance = Math.max(least, Math.min(most, this.distance * factor));
  }

  // Frames a box without turning. `wide` and `high` are the free width and height, as shares of the
  // picture's height.
  fit({ least, largest }, wide, high) {
    this.target = scale(add(least, largest), 0.5);
    this.radius = Math.max(1e-6, length(subtract(largest, least)) / 2);
    // The bounding ball of the box is larger than its contents, so 0.88 of its radius is framed.
    this.distance = (0.88 * this.radius) / Math.sin(Math.atan(this.tangent * Math.min(wide, high)));
  }

  // The camera of the scene.
  place({ position, target, fov }, radius) {
    const away = subtract(position, target);
    this.radius = radius;
    this.target = [...target];
    this.distance = Math.max(1e-6, length(away));
    const [x, y, z] = normalize(away);
    this.elevation = Math.max(-STEEPEST, Math.min(STEEPEST, Math.asin(z)));
    if (Math.hypot(x, y) > 1e-9) this.azimuth = Math.atan2(y, x);
    this.fov = Math.max(5, Math.min(120, fov));
  }

  // Encodes the view as a short text for the address, and decodes it.
  toText() {
    const digits = (value) => Number(value.toPrecision(6)).toString();
    return [...this.target, this.distance, this.azimuth, this.elevation].map(digits).join(",");
  }

  fromText(text) {
    const values = text.split(",").map(Number);
    if (values.length !== 6 || !values.every(Number.isFinite) || values[3] <= 0) return false;
    this.target = values.slice(0, 3);
    [this.distance, this.azimuth] = values.slice(3, 5);
    this.elevation = Math.max(-STEEPEST, Math.min(STEEPEST, values[5]));
    return true;
  }
}
