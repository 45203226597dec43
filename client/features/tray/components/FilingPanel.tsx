import Copy from 'lucide-react/icons/copy';
import { type ComponentType, type Ref, type RefObject, useEffect, useEffectEvent } from 'react';
import { Link } from 'react-router';
import type { TrayItem } from '@matterdesk/contract/tray.ts';
import { fileOfLink } from '../../../core/file-link.ts';
import { paths } from '../../../core/paths.ts';
import type { CaseField } from '../../../core/slots.ts';
import { useAppSelector } from '../../../core/store.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Field } from '../../../ui/Field.tsx';
import type { Option } from '../../../ui/option.ts';
import { matterOption, reasonsOf, sourceNames } from '../rules.ts';
import type { TrayAct } from '../slice.ts';

/** The matter and the folder that are chosen for an item; '' is the folder of its source. */
export type FilingChoice = { matter: Option | null; folder: string };

interface FilingPanelProps {
  item: TrayItem;
  choice: FilingChoice;
  isBusy: boolean;
  caseField: CaseField;
  folderField: ComponentType<{
    caseId: string | null;
    folder: string;
    first: string;
    onChange: (folder: string) => void;
  }>;
  /** Another matter, which the page focuses. */
  other: RefObject<{ focus: () => void } | null>;
  fileButton: Ref<HTMLButtonElement>;
  onChoose: (choice: FilingChoice) => void;
  /** Another matter was chosen; Enter then files. */
  onOther: (matter: Option | null) => void;
  onFile: () => void;
  /** Absent without the permission to add tasks. */
  onTask: (() => void) | undefined;
  onDismiss: () => void;
}

/** 'Where does it belong?': matters that are proposed, any other, a folder, and the acts, which never move. */
export function FilingPanel(props: FilingPanelProps) {
  const { item, choice, caseField: CaseField, folderField: FolderField, other } = props;
  const { onChoose, onOther } = props;
  useCursor(props);
  const { matter, folder } = choice;
  const at = item.proposals.findIndex((proposal) => proposal.case.id === matter?.id);
  return (
    <section aria-labelledby="where-to" className="tray-where">
      <div className="tray-choice">
        <h3 id="where-to" className="mb-2 font-semibold">
          Where does it belong?
        </h3>
        <div role="group" aria-labelledby="where-to" className="grid gap-2">
          {item.proposals.map((proposal, index) => (
            <Proposal
              key={proposal.case.id}
              proposal={proposal}
              digit={String(index + 1)}
              isChosen={index === at}
              onChoose={() => onChoose({ matter: matterOption(proposal.case), folder })}
            />
          ))}
        </div>
        <div className={cx(item.proposals.length > 0 && 'mt-2')}>
          <CaseField
            ref={other}
            aria-label="Another matter"
            placeholder="Another matter"
            withIcon
            value={at === -1 ? matter : null}
            onChange={onOther}
          />
        </div>
        <Field label="Folder" className="mt-3">
          <FolderField
            caseId={matter?.id ?? null}
            folder={folder || sourceNames[item.source]}
            first={sourceNames[item.source]}
            onChange={(name) => onChoose({ matter, folder: name })}
          />
        </Field>
        {item.duplicateOf && <Duplicate of={item.duplicateOf} />}
      </div>
      <Acts {...props} digit={at === -1 ? null : String(at + 1)} />
    </section>
  );
}

/**
 * At first and after each act, puts the cursor into Another matter if nothing is proposed for the item. The focus of a
 * reader who walks through the list stays there.
 */
function useCursor({ item, other }: FilingPanelProps) {
  const last = useAppSelector(({ tray }) => tray.last);
  const enter = useEffectEvent((done: TrayAct | null) => {
    const isElsewhere = document.activeElement?.closest('input, textarea, [role=dialog]') != null;
    if (item.proposals.length > 0 || item.id === done?.id || isElsewhere) return;
    other.current?.focus();
  });
  useEffect(() => enter(last), [last]);
}

interface ProposalProps {
  proposal: TrayItem['proposals'][0];
  digit: string;
  isChosen: boolean;
  onChoose: () => void;
}

/** A click chooses; its digit files at once. */
function Proposal({ proposal, digit, isChosen, onChoose }: ProposalProps) {
  const { label, number } = matterOption(proposal.case);
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      aria-keyshortcuts={digit}
      onClick={onChoose}
      className="tray-proposal"
    >
      <span aria-hidden="true" className="tray-digit">
        {digit}
      </span>
      <span className="min-w-0 grow">
        <bdi className="block font-medium wrap-anywhere">{label}</bdi>
        <span className="tray-number block text-note text-ink-2 tabular-nums">{number}</span>
        {reasonsOf(proposal).map((reason) => (
          <bdi key={reason} className="mt-0.5 block text-note/[1.125rem] text-ink-2 wrap-anywhere">
            {reason}
          </bdi>
        ))}
      </span>
    </button>
  );
}

/** A neutral note: the same bytes may be filed again. */
function Duplicate({ of: { case: matter, url } }: { of: NonNullable<TrayItem['duplicateOf']> }) {
  const file = fileOfLink(url);
  return (
    <div className="mt-3 flex gap-2.5 rounded-card bg-sunken px-3 py-2.5 text-sm">
      <Copy className="mt-0.5 flex-none text-ink-3" />
      <div className="min-w-0 wrap-anywhere">
        <p className="font-medium">{`Already in ${matter.caseName}`}</p>
        <p className="text-ink-2">
          The same file as{' '}
          {file && (
            <Link to={paths.fileOf(file.caseId, file.folder, file.name)} className="link">
              <bdi>{file.name}</bdi>
            </Link>
          )}
          {file && ` in ${file.folder}. You can still file it.`}
        </p>
      </div>
    </div>
  );
}

/** The acts at the foot, each with its key. */
function Acts({
  choice,
  isBusy,
  fileButton,
  onFile,
  onTask,
  onDismiss,
  digit,
}: FilingPanelProps & { digit: string | null }) {
  const { matter } = choice;
  return (
    <div className="tray-acts">
      <Button
        ref={fileButton}
        size="large"
        variant={matter ? 'primary' : 'default'}
        busy={isBusy}
        onClick={onFile}
      >
        <span className="truncate">{matter ? `File in ${matter.label}` : 'Choose a matter'}</span>
        <kbd aria-hidden="true">{matter ? (digit ?? 'Enter') : '/'}</kbd>
      </Button>
      {onTask && (
        <Button aria-keyshortcuts="t" onClick={onTask}>
          With a task <kbd aria-hidden="true">T</kbd>
        </Button>
      )}
      <Button aria-keyshortcuts="x" onClick={onDismiss}>
        Not for a matter <kbd aria-hidden="true">X</kbd>
      </Button>
    </div>
  );
}
