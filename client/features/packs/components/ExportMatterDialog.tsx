// The dialog that packs a matter to carry it away.

import { useState } from 'react';
import type { Case } from '@matterdesk/contract/cases.ts';
import { PACK_DAYS, type Pack, type PackPart, packParts } from '@matterdesk/contract/packs.ts';
import { Pending } from '../../../core/Pending.tsx';
import { useAppDispatch } from '../../../core/store.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { useResource } from '../../../core/use-resource.ts';
import { counted } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Kbd } from '../../../ui/Kbd.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { exportMatter } from '../api.ts';
import { amountInWords, leftOutInWords, partLabels, totalOf, withPart } from '../rules.ts';
import { packTrial } from '../slice.ts';
import { PackList } from './PackList.tsx';

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
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of the fields within it */}
        <div
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            if (!event.repeat) submit();
          }}
        >
          {trial.data === null && trial.failure ? (
            <Pending of={trial} what="the parts of the pack" />
          ) : (
            <Parts trial={trial.data} chosen={chosen} onChange={setChosen} />
          )}
        </div>
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
            <label
              key={part}
              className="flex min-h-9 items-center gap-2.5 border-b border-line pointer-coarse:min-h-11"
            >
              <input
                type="checkbox"
                className="size-4 flex-none accent-accent"
                checked={chosen.includes(part)}
                onChange={({ target }) => onChange(withPart(chosen, part, target.checked))}
              />
              <span className="min-w-0 flex-1">{partLabels[part]}</span>
              {trial ? (
                <span className="flex-none text-sm text-ink-2 tabular-nums">
                  {amountInWords(sizes.get(part) ?? { files: 0, bytes: 0 })}
                </span>
              ) : (
                <Skeleton className="h-4 w-24" />
              )}
            </label>
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
        {`The pack is a zip that any archive’s tool can check. It is erased after ${counted(PACK_DAYS, 'day')}. Everyone with access is notified.`}
      </p>
    </>
  );
}
