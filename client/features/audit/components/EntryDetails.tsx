import type { Entry } from '@matterdesk/contract/audit.ts';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { useResource } from '../../../core/use-resource.ts';
import { Button } from '../../../ui/Button.tsx';
import { sealOf } from '../api.ts';
import { changesOf } from '../rules.ts';

interface EntryDetailsProps {
  entry: Entry;
  onFilter: (filters: Record<string, string>) => void;
}

/** What an entry changed, and where it is in the record. */
export function EntryDetails({ entry, onFilter }: EntryDetailsProps) {
  const { address, caseId } = entry;
  return (
    <div className="mb-2.5 grid gap-6 rounded-lg border border-line bg-surface p-4 lg:ml-7 lg:grid-cols-[1fr_20rem]">
      <dl className="min-w-0">
        {changesOf(entry).map(({ label, before, after }) => (
          <div
            key={label}
            className="grid grid-cols-2 gap-x-4 border-b border-line py-1.5 last:border-0 lg:grid-cols-[9rem_1fr_1fr]"
          >
            <dt className="col-span-2 text-sm text-ink-2 lg:col-span-1">{label}</dt>
            <dd className="text-sm wrap-anywhere text-ink-3 line-through">{before}</dd>
            <dd className="text-sm wrap-anywhere">{after}</dd>
          </div>
        ))}
      </dl>
      <dl className="grid grid-cols-[5rem_1fr] content-start gap-y-1.5 text-sm">
        <dt className="text-ink-2">Entry</dt>
        <dd className="tabular-nums">{Number(entry.id).toLocaleString('en-US')}</dd>
        <dt className="text-ink-2">Request</dt>
        <dd className="wrap-anywhere">{entry.requestId ?? 'None'}</dd>
        <dt className="text-ink-2">From</dt>
        <dd className="wrap-anywhere">{address ?? 'This server'}</dd>
        <dt className="text-ink-2">Seal</dt>
        <dd>
          <SealText id={entry.id} />
        </dd>
        <dd className="col-span-2 mt-1.5 flex flex-wrap gap-2">
          {caseId !== null && (
            <Button size="small" onClick={() => onFilter({ caseId })}>
              Only this matter
            </Button>
          )}
          {address !== null && (
            <Button size="small" onClick={() => onFilter({ address })}>
              Only this address
            </Button>
          )}
        </dd>
      </dl>
    </div>
  );
}

function SealText({ id }: { id: string }) {
  const { data, failure } = useResource(sealOf, id);
  if (failure) return <span className="text-ink-3">Couldn’t check the seal</span>;
  if (!data) return <span className="text-ink-3">Checking</span>;
  if (data.seal === null) return <span className="text-ink-3">Within a minute</span>;
  const Icon = data.matches ? ShieldCheck : ShieldAlert;
  return (
    <span className={data.matches ? 'text-green' : 'text-red'}>
      <Icon className="mr-1.5 inline" />
      {data.seal.slice(0, 8)}, {data.matches ? 'matches' : 'does not match'}
    </span>
  );
}
