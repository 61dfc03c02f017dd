// What is drawn of large topologies: the engine takes 65,536 members, a page does not.

/** More than these are told by their number. */
export const MAX_DRAWN = 200;

/** The first of a list, and of those behind them some that must not be missed. */
export function limited<T>(list: readonly T[], isWanted: (each: T) => boolean = () => false): { drawn: T[]; others: number } {
  if (list.length <= MAX_DRAWN) return { drawn: [...list], others: 0 };
  const wanted = list.slice(MAX_DRAWN).filter(isWanted).slice(0, MAX_DRAWN);
  const drawn = [...list.slice(0, MAX_DRAWN), ...wanted];
  return { drawn, others: list.length - drawn.length };
}
