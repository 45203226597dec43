import { fullName } from '../../../core/full-name.ts';
import { Pending } from '../../../core/Pending.tsx';
import { useAppDispatch } from '../../../core/store.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { useResource } from '../../../core/use-resource.ts';
import { exactMoment, fullMoment } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { SkeletonRows } from '../../../ui/Skeleton.tsx';
import { fileVersions, restoreVersion } from '../api.ts';
import { useLibrary } from '../hooks/use-library.ts';
import type { FileVersions } from '../rules.preview.ts';

interface VersionsDialogProps {
  folder: string;
  name: string;
  onClose: () => void;
}

/** The versions of a file, each to open, and earlier ones to restore. */
export function VersionsDialog({ folder, name, onClose }: VersionsDialogProps) {
  const { caseId, onShow } = useLibrary();
  const dispatch = useAppDispatch();
  const { isBusy, attempt } = useAttempt();
  const versions = useResource(fileVersions, { caseId, folder, name });
  const open = (version: number) => {
    onClose();
    onShow({ folder, name, version });
  };
  const restore = (version: number) =>
    void attempt({ name, version }, () =>
      dispatch(restoreVersion({ caseId, folder, name }, version)),
    );
  return (
    <Dialog open onClose={onClose} title="Versions" subtitle={name} footer={<DialogClose />}>
      {versions.data ? (
        <ol aria-label="Versions, newest first" className="-my-3 divide-y divide-line">
          {versions.data.map((version, at) => (
            <VersionRow
              key={version.n}
              version={version}
              isNewest={at === 0}
              isBusy={isBusy}
              onOpen={open}
              onRestore={restore}
            />
          ))}
        </ol>
      ) : (
        <Pending of={versions} what="the versions">
          <SkeletonRows count={3} className="h-9" />
        </Pending>
      )}
    </Dialog>
  );
}

interface VersionRowProps {
  version: FileVersions[number];
  isNewest: boolean;
  isBusy: boolean;
  onOpen: (version: number) => void;
  onRestore: (version: number) => void;
}

function VersionRow({ version, isNewest, isBusy, onOpen, onRestore }: VersionRowProps) {
  const { n, by, at, size } = version;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex items-center gap-2 font-medium">
          Version {n}
          {isNewest && <Chip tone="accent">Newest</Chip>}
        </p>
        <p className="text-sm text-ink-2">
          {`${fullName(by)} · `}
          <time dateTime={at} title={exactMoment(at)}>
            {fullMoment(at)}
          </time>
          {` · ${sizeInWords(size)}`}
        </p>
      </div>
      <span className="flex flex-none gap-2">
        <Button size="small" aria-label={`Open version ${n}`} onClick={() => onOpen(n)}>
          Open
        </Button>
        {!isNewest && (
          <Button
            size="small"
            disabled={isBusy}
            aria-label={`Restore version ${n}`}
            onClick={() => onRestore(n)}
          >
            Restore
          </Button>
        )}
      </span>
    </li>
  );
}
