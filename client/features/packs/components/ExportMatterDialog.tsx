// The dialog that packs a matter to carry it away.

import Copy from 'lucide-react/icons/copy';
import Download from 'lucide-react/icons/download';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Case } from '@matterdesk/contract/cases.ts';
import { type Pack, PACK_DAYS, type PackPart, packParts } from '@matterdesk/contract/packs.ts';
import { useAnnounced, usePolling } from '../../../core/background-job.ts';
import { fullName } from '../../../core/full-name.ts';
import { Pending } from '../../../core/Pending.tsx';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { useResource } from '../../../core/use-resource.ts';
import { counted, exactMoment, fullMoment } from '../../../core/words.ts';
import { buttonClass, Button, IconButton } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { copyToClipboard } from '../../../ui/copy-to-clipboard.ts';
import { CtrlEnter } from '../../../ui/CtrlEnter.tsx';
import { cx } from '../../../ui/cx.ts';
import { useToday } from '../../../ui/days.ts';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { Kbd } from '../../../ui/Kbd.tsx';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { Skeleton, SkeletonRows } from '../../../ui/Skeleton.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { StaleNotice } from '../../../ui/StaleNotice.tsx';
import { exportMatter } from '../api.ts';
import {
  amountInWords,
  endInWords,
  isUnfinished,
  leftOutInWords,
  partLabels,
  partsInWords,
  stateInWords,
  totalOf,
  volumeUrl,
  withPart,
} from '../rules.ts';
import { packList, packTrial } from '../slice.ts';

interface ExportMatterDialogProps {
  matter: Pick<Case, 'id' | 'caseName'>;
  onClose: () => void;
}

/** 'Export matter': the parts of a pack with their sizes, and the packs of this matter so far. */
export function ExportMatterDialog({ matter, onClose }: ExportMatterDialogProps) {
  const dispatch = useAppDispatch();
  const trial = useResource(packTrial, matter.id);
  const [chosen, setChosen] = useState<readonly PackPart[]>(packParts);
  /** Number of the last pack that was made here; 0 for none. */
  const [made, setMade] = useState(0);
  const { isBusy, attempt } = useAttempt();
  const canExport = trial.data !== null && chosen.length > 0;
  const submit = () => {
    if (!canExport) return;
    // With `made`, since the same parts sent a second time are another pack.
    void attempt({ chosen, made }, async (key) => {
      const { n } = await dispatch(exportMatter(matter.id, { parts: chosen, key }));
      setMade(n);
    });
  };
  return (
    <Dialog
      open
      size="large"
      title="Export matter"
      subtitle={matter.caseName}
      onClose={onClose}
      footer={
        <>
          <DialogClose />
          <Button variant="primary" busy={isBusy} disabled={!canExport} onClick={submit}>
            Export
            <span className="max-sm:hidden">
              <Kbd>Ctrl Enter</Kbd>
            </span>
          </Button>
        </>
      }
    >
      {/* A fixed height, so that the dialog keeps its place when the list arrives and grows. */}
      <div className="sm:h-[38rem]">
        <CtrlEnter onPress={submit}>
          {trial.data === null && trial.failure ? (
            <Pending of={trial} what="the parts of the pack" />
          ) : (
            <Parts trial={trial.data} chosen={chosen} onChange={setChosen} />
          )}
        </CtrlEnter>
        <PackList caseId={matter.id} made={made} />
      </div>
    </Dialog>
  );
}

interface PartsProps {
  /** Null until the server has counted. */
  trial: Pack | null;
  chosen: readonly PackPart[];
  onChange: (chosen: readonly PackPart[]) => void;
}

/** Checkboxes of the parts, and what they add up to. Everything has its place before the numbers arrive. */
function Parts({ trial, chosen, onChange }: PartsProps) {
  const sizes = new Map(trial?.parts.map((size) => [size.part, size] as const));
  const leftOut = trial ? leftOutInWords(trial.leftOut, chosen) : '';
  return (
    <>
      <fieldset>
        <legend className="pb-2 text-heading font-semibold">Parts</legend>
        <div className="grid border-t border-line sm:grid-cols-2 sm:gap-x-8">
          {packParts.map((part) => (
            <div key={part} className="border-b border-line">
              <Checkbox
                label={partLabels[part]}
                aside={
                  trial ? (
                    <span className="flex-none text-sm text-ink-2 tabular-nums">
                      {amountInWords(sizes.get(part) ?? { files: 0, bytes: 0 })}
                    </span>
                  ) : (
                    <Skeleton className="h-4 w-24" />
                  )
                }
                checked={chosen.includes(part)}
                onChange={({ target }) => onChange(withPart(chosen, part, target.checked))}
              />
            </div>
          ))}
        </div>
      </fieldset>
      <div aria-live="polite" className="pt-3">
        <p className="flex min-h-5 items-center justify-between gap-3 font-medium">
          Total
          {trial ? (
            <span className="tabular-nums">
              {chosen.length > 0
                ? amountInWords(totalOf(trial.parts, chosen))
                : 'Choose at least one part'}
            </span>
          ) : (
            <Skeleton className="h-4 w-28" />
          )}
        </p>
        <p className="min-h-5 pt-1 text-sm text-ink-2 max-sm:min-h-10">
          {leftOut !== '' && `Left out, because you may not see it: ${leftOut}`}
        </p>
      </div>
      <p className="pt-2 text-sm text-pretty text-ink-2">
        {`The pack is a zip file that any archive tool can verify. It is erased after ${counted(PACK_DAYS, 'day')}. Everyone with access is notified.`}
      </p>
    </>
  );
}

/** Milliseconds between two fetches of the list while a pack is on its way. */
const POLL_MS = 2000;

interface PackListProps {
  caseId: string;
  /** Number of the pack that gets the focus; 0 for none. */
  made: number;
}

/** Earlier packs of a matter, the newest first. */
function PackList({ caseId, made }: PackListProps) {
  const { list, announced } = usePacks(caseId);
  const { data, failure, refresh } = list;
  return (
    <section aria-labelledby="earlier-packs" className="pt-6 pb-5">
      <h3 id="earlier-packs" className="pb-2 text-heading font-semibold">
        Earlier packs
      </h3>
      <p role="status" className="sr-only">
        {announced}
      </p>
      {data && failure && <StaleNotice onRetry={refresh}>Couldn’t refresh the packs.</StaleNotice>}
      {data === null ? (
        <Pending of={list} what="the earlier packs" isPart>
          <SkeletonRows count={3} className="h-12" />
        </Pending>
      ) : data.length === 0 ? (
        <p className="text-ink-2">No packs yet</p>
      ) : (
        <ul aria-labelledby="earlier-packs" className="divide-y divide-line border-y border-line">
          {data.map((pack) => (
            <PackRow key={pack.n} caseId={caseId} pack={pack} isNew={pack.n === made} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Packs of a case, fetched again until all have ended, and what a screen reader is to say of the last end. */
function usePacks(caseId: string) {
  const dispatch = useAppDispatch();
  const list = useResource(packList, caseId);
  const isWaiting = list.data !== null && hasUnfinished(list.data);
  const load = useCallback(() => void dispatch(packList.load(caseId)), [dispatch, caseId]);
  usePolling(isWaiting ? POLL_MS : null, load);
  const announced = useAnnounced(list.data, {
    isRunning: hasUnfinished,
    endInWords: (before, after) => endInWords(before ?? [], after),
  });
  return { list, announced };
}

function hasUnfinished(packs: readonly Pack[]): boolean {
  return packs.some(isUnfinished);
}

function PackRow({ caseId, pack, isNew }: { caseId: string; pack: Pack; isNew: boolean }) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isNew) row.current?.focus();
  }, [isNew]);
  const { by, at, state, manifestSha256 } = pack;
  const today = useToday();
  const parts = partsInWords(pack.parts);
  return (
    <li
      ref={row}
      tabIndex={-1}
      className="flex flex-col gap-x-4 gap-y-2 py-2.5 sm:flex-row sm:items-start sm:justify-between"
    >
      <div className="min-w-0">
        <p className="wrap-anywhere">
          <time dateTime={at} title={exactMoment(at)}>
            {fullMoment(at)}
          </time>
          {` · ${fullName(by)}`}
        </p>
        <p className="text-sm text-ink-2 wrap-anywhere">
          <span className={cx('font-medium', TONES[state])}>
            {state === 'running' && <Spinner className="mr-1.5 align-[-2px]" />}
            {stateInWords(pack, today)}
          </span>
          {` · ${amountInWords(pack)}`}
          {parts !== null && ` · ${parts}`}
        </p>
        {/* The line is there before the hash is, so that no row moves. */}
        {(manifestSha256 !== null || isUnfinished(pack)) && (
          <div className="flex min-h-7 items-center text-sm text-ink-2 pointer-coarse:min-h-11">
            {manifestSha256 === null ? (
              'SHA-256 appears once it is packed'
            ) : (
              <Hash of={manifestSha256} />
            )}
          </div>
        )}
      </div>
      {state === 'ready' && <Volumes caseId={caseId} pack={pack} />}
    </li>
  );
}

const TONES: Record<Pack['state'], string> = {
  waiting: '',
  running: '',
  ready: 'text-green',
  failed: 'text-red',
  erased: '',
};

const SHOWN = 12;

/** The start of the manifest's hash; the whole of it on hover, and to copy. */
function Hash({ of: hash }: { of: string }) {
  return (
    <>
      <span title={hash}>
        SHA-256 <code>{hash.slice(0, SHOWN)}</code>
      </span>
      <IconButton
        label={`Copy the hash ${hash.slice(0, SHOWN)}`}
        icon={Copy}
        variant="quiet"
        size="small"
        className="ml-1"
        onClick={() => void copyToClipboard(hash, 'Hash copied')}
      />
    </>
  );
}

/** Links to the zip files, for the user who made them. */
function Volumes({ caseId, pack }: { caseId: string; pack: Pack }) {
  const isOwn = useAppSelector(({ user }) => user.current?.id === pack.by.id);
  const { n, at, by, volumes } = pack;
  if (!isOwn)
    return (
      <p className="text-sm text-ink-2 sm:max-w-[70%] sm:flex-none">
        {`Only ${fullName(by)} can download it`}
      </p>
    );
  return (
    <div className="flex flex-wrap gap-2 sm:max-w-[70%] sm:justify-end">
      {volumes.map((volume) => (
        <a
          key={volume.n}
          href={volumeUrl(caseId, n, volume.n)}
          download
          className={buttonClass({ size: 'small' })}
        >
          <Download />
          {volumes.length === 1 ? 'Download' : `Volume ${volume.n} · ${sizeInWords(volume.size)}`}
          <span className="sr-only">{` of the pack of ${fullMoment(at)}`}</span>
        </a>
      ))}
    </div>
  );
}
