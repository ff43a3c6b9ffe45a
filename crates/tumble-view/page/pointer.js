// Mouse, touch and trackpad: orbit, pan, zoom, select.
//
// The left button or one finger orbits; the right or middle button, shift, or two fingers pan;
// wheel and pinch zoom; a click without motion selects, a double click looks at the object it hit.

// A press that moves less than this is a click [CSS pixels].
const CLICK = 5;

export function connectPointer(viewer, element) {
  const { camera } = viewer;
  const pointers = new Map();
  let moved = 0;

  const move = (event, last) => {
    const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
    moved += Math.abs(dx) + Math.abs(dy);
    const height = element.clientHeight;
    if (pointers.size === 2) {
      const [a, b] = [...pointers.values()];
      const other = last === a ? b : a;
      const before = Math.hypot(last.x - other.x, last.y - other.y);
      const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      if (before > 0 && after > 0) camera.zoom(before / after);
      camera.pan(dx / height / 2, dy / height / 2);
    } else if (last.pans || event.shiftKey) {
      camera.pan(dx / height, dy / height);
    } else {
      camera.orbit((dx / height) * 4, (dy / height) * 4);
    }
    viewer.isDirty = true;
  };

  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, pans: event.button === 1 || event.button === 2 });
    if (pointers.size === 1) moved = 0;
  });
  element.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    move(event, last);
    [last.x, last.y] = [event.clientX, event.clientY];
  });
  const release = (event) => {
    const last = pointers.get(event.pointerId);
    pointers.delete(event.pointerId);
    if (last && !last.pans && event.type === "pointerup" && moved < CLICK && pointers.size === 0) click(viewer, element, event);
  };
  element.addEventListener("pointerup", release);
  element.addEventListener("pointercancel", release);
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener("dblclick", () => {
    const body = viewer.chosenBody();
    if (!body) return;
    camera.target = body.position;
    viewer.isDirty = true;
  });
  element.addEventListener("wheel", (event) => {
    event.preventDefault();
    // Converts lines and pages of old mice to pixels; a pinch arrives as a small wheel event with
    // the control key.
    const pixels = event.deltaY * [1, 30, 300][event.deltaMode];
    camera.zoom(Math.exp(pixels * (event.ctrlKey ? 0.01 : 0.0012)));
    viewer.isDirty = true;
  }, { passive: false });
}

function click(viewer, element, event) {
  const box = element.getBoundingClientRect();
  const ratio = viewer.canvas.width / box.width;
  viewer.pick(Math.floor((event.clientX - box.left) * ratio), Math.floor((event.clientY - box.top) * ratio));
}
