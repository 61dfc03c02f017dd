// How the page names members, and what it makes of their dates.
import { CHECKED_MS, type Server } from './case.js';

/** The types of servers, with what people call them. */
export const TYPE_NAMES: Record<string, string> = {
  RSPrimary: 'primary',
  RSSecondary: 'secondary',
  RSArbiter: 'arbiter',
  RSOther: 'hidden or starting',
  RSGhost: 'ghost',
  Mongos: 'mongos',
  Standalone: 'standalone',
  LoadBalancer: 'load balancer',
  PossiblePrimary: 'possible primary',
  Unknown: 'unknown',
};

/** An address without the port that goes without saying. */
export function shortAddress(address: string): string {
  return address.replace(/:27017$/, '');
}

/**
 * How long before it was checked a member last wrote, which is what an idle primary and a lagging secondary have in
 * common: the dates of a description, as people think of them.
 */
export function lagSeconds({ lastWriteDate, lastUpdateTimeMS = 0 }: Server): number | string | undefined {
  if (typeof lastWriteDate !== 'number') return lastWriteDate;
  return (lastUpdateTimeMS - lastWriteDate) / 1000;
}

/** The dates that say so. */
export function lastWriteDateFor(server: Server, seconds: number | string | undefined): Partial<Server> {
  if (typeof seconds !== 'number') return { lastWriteDate: seconds };
  const checked = server.lastUpdateTimeMS ?? CHECKED_MS;
  return { lastUpdateTimeMS: checked, lastWriteDate: checked - Math.round(seconds * 1000) };
}
