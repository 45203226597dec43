import RotateCw from 'lucide-react/icons/rotate-cw';
import { Button } from '../../../ui/Button.tsx';
import { dropSendings, sendAgain, type Sending } from '../api.uploads.ts';
import { filesInWords } from '../rules.ts';
import { UploadRow } from './UploadRow.tsx';

/** Maximum rows; the rest are counted. */
const MOST_SHOWN = 12;

/** Uploads: failed ones first, then those in progress. */
export function UploadList({ sendings }: { sendings: readonly Sending[] }) {
  const failed = sendings.filter(({ failure }) => failure !== null);
  const going = sendings.filter(({ failure }) => failure === null);
  const hidden = sendings.length - MOST_SHOWN;
  return (
    <>
      {[...failed, ...going].slice(0, MOST_SHOWN).map((sending) => (
        <UploadRow
          key={sending.id}
          sending={sending}
          onCancel={() => dropSendings([sending])}
          onRetry={() => sendAgain([sending])}
        />
      ))}
      {sendings.length > 1 && (
        <div className="flex min-h-[38px] flex-wrap items-center justify-end gap-2 pl-1 text-sm text-ink-2">
          {hidden > 0 && <span className="mr-auto">{`and ${filesInWords(hidden)} more`}</span>}
          {failed.length > 1 && (
            <Button size="small" icon={RotateCw} onClick={() => sendAgain(failed)}>
              Try all again
            </Button>
          )}
          <Button size="small" variant="quiet" onClick={() => dropSendings(sendings)}>
            {going.length > 0 ? 'Cancel all' : 'Clear all'}
          </Button>
        </div>
      )}
    </>
  );
}
