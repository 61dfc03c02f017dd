/** That not everything is drawn. */
export function Others({ count, of = 'members' }: { count: number; of?: string }) {
  return count === 0 ? null : (
    <p class="hint">
      and {count.toLocaleString('en')} more {of}, which are not drawn
    </p>
  );
}
