import '../../../core/letters.css';
import FileText from 'lucide-react/icons/file-text';
import { type ComponentType, type ReactNode, useState } from 'react';
import type { Party, PartyRole } from '@matterdesk/contract/contacts.ts';
import {
  type MadeDocument,
  type NewDocuments,
  RECIPIENTS_MAX,
  type Template,
} from '@matterdesk/contract/templates.ts';
import { LeaveQuestion } from '../../../core/LeaveQuestion.tsx';
import { roleNames } from '../../../core/party-roles.ts';
import type { ContactField } from '../../../core/slots.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { useResource } from '../../../core/use-resource.ts';
import { useScreen } from '../../../core/use-screen.ts';
import { formatCount } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { CtrlEnter } from '../../../ui/CtrlEnter.tsx';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Kbd } from '../../../ui/Kbd.tsx';
import type { Option } from '../../../ui/option.ts';
import { SkeletonRows } from '../../../ui/Skeleton.tsx';
import { makeDocuments } from '../api.ts';
import { useNewDocument } from '../hooks/use-new-document.ts';
import {
  createInWords,
  draftInWords,
  isPerRecipient,
  type Matter,
  placeOf,
  recentOf,
  rowsOf,
  toSavedAnswers,
} from '../rules.ts';
import { ALL, madeDocuments, templateList } from '../slice.ts';
import { ChooseTemplate } from './ChooseTemplate.tsx';
import { FirstPage } from './FirstPage.tsx';
import { MissingFields } from './MissingFields.tsx';

export type MadeDocuments = { documents: MadeDocument[]; folder: string };

/** The field for the folder of the new files. */
export interface FolderFieldProps {
  caseId: string;
  folder: string;
  onChange: (folder: string) => void;
}

interface NewDocumentDialogProps {
  matter: Matter;
  /** Id of the template that is chosen first; any other text for none. */
  first: string;
  parties: readonly Party[];
  contactField: ContactField;
  folderField: ComponentType<FolderFieldProps>;
  onMade: (made: MadeDocuments) => void;
  onClose: () => void;
}

/** From a template to the finished letter: what is missing, for whom, and the first page before it is made. */
export function NewDocumentDialog(props: NewDocumentDialogProps) {
  const { matter, onClose } = props;
  const list = useResource(templateList, ALL);
  const { data: made } = useResource(madeDocuments, matter.id);
  const creation = useCreation(props);
  const { state, empty, template, offered, count, isBusy, submit } = creation;
  const { draft, result } = state;
  const screen = useScreen();
  const [isWide, isPhone] = [screen === 'wide', screen === 'phone'];
  const [isChoosing, setIsChoosing] = useState(false);
  const [isPreviewing, setIsPreviewing] = useState(false);
  const names = new Map(offered.map(({ id, name }) => [id, name]));
  const isDirty = Object.keys(draft.answers).length > 0;
  const page = result && (
    <FirstPage
      blocks={result.preview}
      recipients={draft.for.length === 0 ? [''] : draft.for.map((id) => names.get(id) ?? '')}
      at={Math.min(state.preview, Math.max(0, draft.for.length - 1))}
      onRecipient={state.setPreview}
      onGap={(path) => {
        setIsPreviewing(false);
        focusGap(path);
      }}
    />
  );
  return (
    <Dialog
      open
      size="panes"
      title="New document"
      subtitle={matter.caseName}
      isDirty={isDirty}
      onClose={onClose}
      footer={
        <>
          <DialogClose>Cancel</DialogClose>
          <div className="flex min-w-0 flex-wrap items-center justify-end gap-x-3 gap-y-1">
            {template && (
              <p className="text-sm text-ink-2 max-sm:hidden">{draftInWords(empty, count)}</p>
            )}
            {!isWide && page && (
              <Button onClick={() => setIsPreviewing(!isPreviewing)}>
                {isPreviewing ? 'Fields' : 'Preview'}
              </Button>
            )}
            <Button
              variant="primary"
              busy={isBusy}
              disabled={!template || !result}
              onClick={submit}
            >
              {createInWords(count, empty)}
              <span className="max-sm:hidden">
                <Kbd>Ctrl Enter</Kbd>
              </span>
            </Button>
          </div>
        </>
      }
    >
      <LeaveQuestion isDirty={isDirty} isClosedByBack />
      <CtrlEnter onPress={submit} className="letter-panes">
        <div className="letter-choice">
          {isPhone && template && !isChoosing ? (
            <div className="flex items-center justify-between gap-3">
              <p className="min-w-0 font-medium wrap-anywhere">{template.name}</p>
              <Button size="small" onClick={() => setIsChoosing(true)}>
                Change
              </Button>
            </div>
          ) : (
            <ChooseTemplate
              list={list}
              type={matter.type}
              recent={recentOf(made ?? [])}
              chosen={draft.template}
              onChoose={(id) => {
                setIsChoosing(false);
                state.change({ template: id });
              }}
            />
          )}
        </div>
        {!isWide && isPreviewing && page ? page : <Fields {...props} creation={creation} />}
        {isWide && <div className="letter-preview">{page}</div>}
      </CtrlEnter>
    </Dialog>
  );
}

type FieldsProps = Pick<NewDocumentDialogProps, 'matter' | 'contactField' | 'folderField'> & {
  creation: ReturnType<typeof useCreation>;
};

/** Fields that are missing, the recipients, and the names of the new files. */
function Fields({ matter, contactField, folderField: FolderField, creation }: FieldsProps) {
  const { state, rows, empty, template, offered } = creation;
  const { draft, result, failure } = state;
  const names = new Map(offered.map(({ id, name }) => [id, name]));
  return (
    <div className="letter-fields">
      {!template && <EmptyState icon={FileText} title="Choose a template to see what it needs" />}
      {template && !result && failure === null && <SkeletonRows count={4} className="h-12" />}
      {failure !== null && (
        <p role="alert" className="text-red">
          {failure}{' '}
          <button type="button" className="link" onClick={state.retry}>
            Try again
          </button>
        </p>
      )}
      {template && result && (
        <>
          <MissingFields
            rows={rows}
            empty={empty}
            answers={draft.answers}
            onAnswer={state.answer}
            names={names}
            canSave={creation.canSave}
            unsaved={creation.unsaved}
            onSave={creation.keep}
          />
          {creation.usesRecipient && (
            <Recipients
              offered={offered}
              chosen={draft.for}
              contactField={contactField}
              onChange={(ids) => state.change({ for: ids })}
              onAdd={creation.addContact}
            />
          )}
          <NewFiles names={result.names}>
            <FolderField
              caseId={matter.id}
              folder={draft.folder}
              onChange={(folder) => state.change({ folder })}
            />
            <PdfChoice
              canPdf={result.canPdf}
              isChosen={creation.isPdf}
              onChange={creation.setIsPdf}
            />
          </NewFiles>
        </>
      )}
    </div>
  );
}

/** The state of the dialog, and what its button does. */
function useCreation({ matter, first, parties, onMade, onClose }: NewDocumentDialogProps) {
  const dispatch = useAppDispatch();
  const { data: templates } = useResource(templateList, ALL);
  const state = useNewDocument(matter.id, isId(first) ? first : '');
  const { draft, result, body } = state;
  const [added, setAdded] = useState<readonly Option[]>([]);
  const [unsaved, setUnsaved] = useState<ReadonlySet<string>>(new Set());
  const [isPdf, setIsPdf] = useState(false);
  const { isBusy, attempt } = useAttempt();
  const me = useAppSelector(({ user }) => user.current);
  const template = templates?.find(({ id }) => id === draft.template);
  const rows = rowsOf(state.asked);
  const empty = new Set(result?.missing.map(({ path }) => path)).size;
  const offered: Recipient[] = recipientsOf(parties, added);
  const rights = {
    isAdmin: me?.role === 'admin',
    canChange: me?.permissions.createCases === true,
  };
  const place = ({ path, recipients }: { path: string; recipients: string[] }) =>
    placeOf(path, { parties, recipients, ...rights });
  const canSave = (row: (typeof rows)[number]) =>
    !row.isQuestion && row.kind !== 'list' && !isPerRecipient(row) && place(row) !== null;
  const submit = () => {
    if (!template || !result) return;
    const kept = rows.flatMap((row) => {
      const to = place(row);
      const text = body.answers[row.path];
      const isKept = to && text !== undefined && canSave(row) && !unsaved.has(row.path);
      return isKept ? [[to, text] as const] : [];
    });
    const sent: NewDocuments = { ...body, pdf: isPdf && result.canPdf };
    void attempt(sent, async (key) => {
      const saved = toSavedAnswers(kept);
      const documents = await dispatch(makeDocuments(matter.id, sent, { saved, key }));
      onClose();
      onMade({ documents, folder: sent.folder });
    });
  };
  return {
    state,
    template,
    rows,
    empty,
    offered,
    count: Math.max(1, draft.for.length),
    usesRecipient: template ? usesRecipient(template) : false,
    isBusy,
    isPdf,
    setIsPdf,
    canSave,
    unsaved,
    keep: (path: string, isKept: boolean) => setUnsaved(withPath(unsaved, path, !isKept)),
    addContact: (contact: Option) => {
      setAdded([...added, contact]);
      state.change({ for: [...draft.for, contact.id] });
    },
    submit,
  };
}

/** Addresses name a template by its id, or say that it is to be chosen. */
function isId(text: string): boolean {
  return /^[\da-f-]{36}$/.test(text);
}

function withPath(paths: ReadonlySet<string>, path: string, isIn: boolean): ReadonlySet<string> {
  const others = [...paths].filter((one) => one !== path);
  return new Set(isIn ? [...others, path] : others);
}

function usesRecipient({ fields }: Template): boolean {
  return fields.some((path) => path.startsWith('recipient.'));
}

function focusGap(path: string): void {
  requestAnimationFrame(() => {
    const row = document.getElementById(`gap ${path}`);
    row?.scrollIntoView({ block: 'nearest' });
    row?.querySelector<HTMLElement>('input, textarea, select')?.focus();
  });
}

/** The same function at each render: a field whose ref changes calls it again. */
function focusFirst(field: { focus: () => void } | null): void {
  field?.focus();
}

type Recipient = { id: string; name: string; role: PartyRole | null; note: string };

interface RecipientsProps {
  offered: readonly Recipient[];
  chosen: readonly string[];
  contactField: ContactField;
  onChange: (ids: string[]) => void;
  onAdd: (contact: Option) => void;
}

/** The matter's parties, each of whom may get a letter, and any other contact. */
function Recipients({ offered, chosen, contactField, onChange, onAdd }: RecipientsProps) {
  const [isAdding, setIsAdding] = useState(false);
  const Contacts = contactField;
  const isFull = chosen.length >= RECIPIENTS_MAX;
  return (
    <section aria-labelledby="recipients">
      <div className="flex items-baseline justify-between gap-3 pb-2">
        <h3 id="recipients" className="text-heading font-semibold">
          Recipients{' '}
          <span className="font-normal text-ink-2">
            {`${formatCount(chosen.length)} of ${formatCount(offered.length)}`}
          </span>
        </h3>
        <button type="button" className="link text-sm" onClick={() => setIsAdding(true)}>
          Add a contact
        </button>
      </div>
      {isAdding && (
        <Contacts
          aria-label="Another recipient"
          value={null}
          without={offered.map(({ id }) => id)}
          ref={focusFirst}
          onChange={(option) => {
            setIsAdding(false);
            if (option) onAdd(option);
          }}
          className="pb-2"
        />
      )}
      <ul className="divide-y divide-line border-y border-line">
        {offered.map(({ id, name, role, note }) => (
          <li key={id}>
            <Checkbox
              label={<span className="block truncate">{name}</span>}
              aside={
                <span className="max-w-[50%] flex-none truncate text-sm text-ink-2">
                  {[role && roleNames[role], note.split('\n')[0]].filter(Boolean).join(', ')}
                </span>
              }
              checked={chosen.includes(id)}
              disabled={isFull && !chosen.includes(id)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
              }
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Everyone with a role in the matter, once each, then added contacts. */
function recipientsOf(parties: readonly Party[], added: readonly Option[]): Recipient[] {
  const found = new Map<string, Recipient>();
  for (const { contact, role, note } of parties)
    if (!found.has(contact.id))
      found.set(contact.id, { id: contact.id, name: contact.name, role, note });
  for (const { id, label } of added)
    if (!found.has(id)) found.set(id, { id, name: label, role: null, note: '' });
  return [...found.values()];
}

function NewFiles({ names, children }: { names: readonly string[]; children: ReactNode }) {
  return (
    <section aria-labelledby="new-files">
      <h3 id="new-files" className="pb-2 text-heading font-semibold">
        New files <span className="font-normal text-ink-2">{formatCount(names.length)}</span>
      </h3>
      <ul className="divide-y divide-line border-y border-line">
        {names.map((name) => (
          <li key={name} className="flex items-start gap-2.5 py-2">
            <FileText className="mt-0.5 flex-none text-ink-3" />
            <FileName name={name} />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 pt-3">{children}</div>
    </section>
  );
}

const DRAFT = ' DRAFT';

/** The name with the word that says that something is empty in bold. */
function FileName({ name }: { name: string }) {
  const at = name.lastIndexOf(DRAFT);
  if (at === -1) return <span className="min-w-0 wrap-anywhere">{name}</span>;
  return (
    <span className="min-w-0 wrap-anywhere">
      {name.slice(0, at)} <b>DRAFT</b>
      {name.slice(at + DRAFT.length)}
    </span>
  );
}

interface PdfChoiceProps {
  canPdf: boolean;
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
}

/** Admins read why it is off; others have nothing to do about it. */
function PdfChoice({ canPdf, isChosen, onChange }: PdfChoiceProps) {
  const isAdmin = useAppSelector(({ user }) => user.current?.role === 'admin');
  if (!canPdf && !isAdmin) return null;
  return (
    <Checkbox
      label="Also as PDF"
      {...(!canPdf && { hint: 'PDF needs LibreOffice on the server' })}
      disabled={!canPdf}
      checked={canPdf && isChosen}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}
