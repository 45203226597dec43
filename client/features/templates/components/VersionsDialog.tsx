import type { Template } from '@matterdesk/contract/templates.ts';
import { fullName } from '../../../core/full-name.ts';
import { exactMoment, fullMoment } from '../../../core/words.ts';
import { Chip } from '../../../ui/Chip.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Problems } from './Problems.tsx';

/** The versions of a template, each to download. */
export function VersionsDialog({ template, onClose }: { template: Template; onClose: () => void }) {
  const { id, name, version, versions } = template;
  return (
    <Dialog open title="Versions" subtitle={name} onClose={onClose} footer={<DialogClose />}>
      <ol aria-label="Versions, newest first" className="-my-3 divide-y divide-line">
        {versions.map(({ n, by, at, problems }) => (
          <li key={n} className="space-y-2 py-3">
            <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <div>
                <p className="flex items-center gap-2 font-medium">
                  Version {n}
                  {n === version && <Chip tone="accent">In use</Chip>}
                </p>
                <p className="text-sm text-ink-2">
                  {`${by ? fullName(by) : 'Came with Matterdesk'} · `}
                  <time dateTime={at} title={exactMoment(at)}>
                    {fullMoment(at)}
                  </time>
                </p>
              </div>
              <a
                href={`/api/v1/templates/${encodeURIComponent(id)}/file?version=${n}`}
                download
                aria-label={`Download version ${n}`}
                className="link text-sm"
              >
                Download
              </a>
            </div>
            <Problems problems={problems} />
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
