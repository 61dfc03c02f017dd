/** Follows the pointer that took hold of an element until it lets go: `move` for each place, then `end`. */
export function followPointer(start: PointerEvent, move: (event: PointerEvent) => void, end: () => void = () => {}) {
  const held = start.currentTarget as HTMLElement;
  held.setPointerCapture(start.pointerId);
  const stop = () => {
    end();
    held.removeEventListener('pointermove', move);
    held.removeEventListener('pointerup', stop);
    held.removeEventListener('pointercancel', stop);
  };
  held.addEventListener('pointermove', move);
  held.addEventListener('pointerup', stop);
  held.addEventListener('pointercancel', stop);
}
