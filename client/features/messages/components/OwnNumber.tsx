import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { numberInWords } from '../rules.ts';

interface OwnNumberProps {
  number: string;
  /** Why texts from it may not arrive yet. */
  notice: string | null;
}

/** The number that one writes from. */
export function OwnNumber({ number, notice }: OwnNumberProps) {
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
