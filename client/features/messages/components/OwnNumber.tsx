import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { numberInWords } from '../rules.ts';
import { useNotice } from './use-notice.ts';

/** The number that one writes from, and why texts from it may not arrive yet. */
export function OwnNumber({ number }: { number: string }) {
  const notice = useNotice(number);
  return (
    <div className="text-note text-ink-2">
      <p>
        Your number{' '}
        <span className="font-medium text-ink tabular-nums">{numberInWords(number)}</span>
      </p>
      {notice !== null && (
        <p className="mt-1.5 flex gap-1.5 rounded-small bg-amber-soft px-2 py-1.5 text-amber">
          <TriangleAlert className="mt-px size-3.5!" />
          <span>{notice}</span>
        </p>
      )}
    </div>
  );
}
