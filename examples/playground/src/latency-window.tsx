import { scaleLinear, scaleSqrt } from 'd3-scale';
import { useRef, useState } from 'preact/hooks';
import { rank, type Explanation, type Verdict } from './explanation.js';
import { followPointer } from './follow-pointer.js';
import { limited } from './limited.js';
import { shortAddress } from './member-text.js';
import { Others } from './others.js';
import { isSuitable } from './pipeline.js';

interface Props {
  explanation: Explanation;
  /** A member is dragged to another round-trip time. */
  onRTT: (index: number, roundTripTimeMS: number) => void;
}

/** Round-trip times on an axis, with the latency window. The members can be dragged along it. */
export function LatencyWindow({ explanation: { servers, latencyWindow }, onRTT }: Props) {
  const track = useRef<HTMLDivElement>(null);
  /** The axis holds still while a member is dragged. */
  const [held, setHeld] = useState<number>();
  const measured = servers.filter((server) => server.roundTripTimeMS !== undefined);
  if (measured.length === 0) return <p class="hint">No round-trip time is measured: distance drops nobody.</p>;

  const { drawn, others } = limited(measured, (server) => rank(server.stage) >= rank('inLatencyWindow'));
  const farthest = measured.reduce((most, server) => Math.max(most, server.roundTripTimeMS!), 0);
  const end = latencyWindow?.endMS ?? 15;
  const top = held ?? Math.max(farthest * 1.08, end * 1.25);
  const isWide = top > 5 * end;
  const axis = (isWide ? scaleSqrt() : scaleLinear()).domain([0, top]).range([0, 100]);
  const ticks = isWide ? scaleSqrt().domain([0, top]).ticks(6).filter((tick) => tick === 0 || axis(tick) > 9) : axis.ticks(6);

  const drag = (start: PointerEvent, index: number) => {
    if (start.button !== 0) return;
    setHeld(top);
    const { left, width } = track.current!.getBoundingClientRect();
    const move = (event: PointerEvent) => {
      const at = Math.min(100, Math.max(0, (100 * (event.clientX - left)) / width));
      onRTT(index, rounded(axis.invert(at)));
    };
    followPointer(start, move, () => setHeld(undefined));
  };

  return (
    <div class="axis-chart">
      <div class="axis-plot" ref={track}>
        {latencyWindow !== undefined && (
          <div class="window-band" style={{ left: `${axis(latencyWindow.fastestMS)}%`, width: `${axis(Math.min(top, latencyWindow.endMS)) - axis(latencyWindow.fastestMS)}%` }}>
            <span class="band-end">{latencyWindow.endMS} ms</span>
          </div>
        )}
        {ticks.map((tick) => (
          <div key={tick} class="tick" style={{ left: `${axis(tick)}%` }}>
            <span>{tick}</span>
          </div>
        ))}
        {drawn.map((server) => (
          <div class="axis-row" key={server.index}>
            <span class="axis-label">{shortAddress(server.address)}</span>
            <span class={axis(server.roundTripTimeMS!) > 80 ? 'axis-value before' : 'axis-value'} style={{ left: `${Math.min(100, axis(server.roundTripTimeMS!))}%` }} aria-hidden="true">
              {server.roundTripTimeMS}
            </span>
            <span
              role="slider"
              tabIndex={0}
              class={`axis-dot ${outcomeOf(server)}`}
              style={{ left: `${Math.min(100, axis(server.roundTripTimeMS!))}%` }}
              aria-label={`Round-trip time of ${shortAddress(server.address)}`}
              aria-valuemin={0}
              aria-valuemax={Math.ceil(top)}
              aria-valuenow={server.roundTripTimeMS}
              aria-valuetext={`${server.roundTripTimeMS} ms, ${IN_WORDS[outcomeOf(server)]}`}
              onPointerDown={(event) => drag(event, server.index)}
              onKeyDown={(event) => {
                const step = stepOf(event.key, server.roundTripTimeMS!);
                if (step === undefined) return;
                event.preventDefault();
                onRTT(server.index, rounded(Math.max(0, server.roundTripTimeMS! + step)));
              }}
            />
          </div>
        ))}
      </div>
      <Others count={others} />
      <p class="hint">
        {latencyWindow === undefined
          ? 'Nobody suitable has a measured round-trip time, so there is no window.'
          : `The window begins at the nearest suitable member, ${latencyWindow.fastestMS} ms, and ends at ${latencyWindow.endMS} ms.`}{' '}
        Drag a member, or use the arrow keys.{isWide && ' The axis is that of square roots, for the near ones to be told apart.'}
      </p>
    </div>
  );
}

const IN_WORDS = { selected: 'picked', 'in-window': 'in the window', outside: 'suitable, and outside of the window', unsuitable: 'not suitable' };

function outcomeOf(server: Verdict): keyof typeof IN_WORDS {
  if (server.stage === 'selected') return 'selected';
  if (server.stage === 'inLatencyWindow') return 'in-window';
  return isSuitable(server) ? 'outside' : 'unsuitable';
}

/** As exact as a hand is. */
function rounded(ms: number): number {
  const digits = ms < 10 ? 1 : 0;
  return Number(ms.toFixed(digits));
}

function stepOf(key: string, now: number): number | undefined {
  const small = now < 10 ? 0.5 : 1;
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return small;
    case 'ArrowLeft':
    case 'ArrowDown':
      return -small;
    case 'PageUp':
      return 10;
    case 'PageDown':
      return -10;
    case 'Home':
      return -now;
    default:
      return undefined;
  }
}
