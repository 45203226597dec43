import Ellipsis from 'lucide-react/icons/ellipsis';
import Mail from 'lucide-react/icons/mail';
import MessageCircle from 'lucide-react/icons/message-circle';
import Pencil from 'lucide-react/icons/pencil';
import Phone from 'lucide-react/icons/phone';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { NOT_FILED } from '@matterdesk/contract/cases.ts';
import type {
  ContactCard,
  IntakeOfContact,
  MatterOfContact,
} from '@matterdesk/contract/contacts.ts';
import { openCall } from '../../core/call-card.ts';
import { lazyNamed } from '../../core/chunks.ts';
import { toE164 } from '../../core/e164.ts';
import { roleNames } from '../../core/party-roles.ts';
import { paths } from '../../core/paths.ts';
import { Pending } from '../../core/Pending.tsx';
import { useRecordView } from '../../core/recently-viewed.ts';
import { useMay } from '../../core/store.ts';
import { useAttempt } from '../../core/use-attempt.ts';
import { BATCH_MS, useResource } from '../../core/use-resource.ts';
import { formatCount, whenInList } from '../../core/words.ts';
import { Breadcrumbs } from '../../ui/Breadcrumbs.tsx';
import { buttonClass, Button } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { cx } from '../../ui/cx.ts';
import { formatDay, localDay, useToday } from '../../ui/days.ts';
import { MenuButton } from '../../ui/Menu.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { StaleNotice } from '../../ui/StaleNotice.tsx';
import { Table, TableCell, TableRow } from '../../ui/Table.tsx';
import { deleteContact } from './api.ts';
import { ContactDetails } from './components/ContactDetails.tsx';
import { Lookalikes } from './components/Lookalikes.tsx';
import { kindNames, onlyMatterOf } from './rules.ts';
import { contactCard } from './slice.ts';

/** The card of a contact: everything that the firm keeps of it and the reader may see. */
export function ContactPage() {
  const { id = '' } = useParams();
  return <ContactOf key={id} id={id} />;
}

function ContactOf({ id }: { id: string }) {
  // Here, since the card is another one once the contact is merged, and what was typed stays.
  const [isEditing, setIsEditing] = useState(false);
  const close = () => setIsEditing(false);
  const { data, failure, status, refresh } = useResource(contactCard, id, { batchMs: BATCH_MS });
  if (failure?.status === 404) return <NoContact />;
  if (data)
    return (
      <>
        {failure && (
          <StaleNotice onRetry={refresh} className="mx-4 mt-4 rounded-card sm:mx-9">
            {`This card may be out of date: ${failure.message}`}
          </StaleNotice>
        )}
        <Card key={data.contact.id} card={data} onEdit={() => setIsEditing(true)} />
        {isEditing && <ContactDialog card={data} onClose={close} onSaved={close} />}
      </>
    );
  return (
    <Pending of={{ failure, status, refresh }} what="the contact">
      <CardSkeleton />
    </Pending>
  );
}

interface CardProps {
  card: ContactCard;
  onEdit: () => void;
}

function Card({ card, onEdit }: CardProps) {
  const { contact, matters, intakes } = card;
  const mayWrite = useMay('createCases', 'handleIntakes');
  useRecordView('contact', contact.id);
  const roles = [...new Set(matters.map(({ role }) => role))];
  return (
    <>
      <PageHeader
        title={contact.name}
        trail={
          <Breadcrumbs
            places={[
              { to: paths.contacts, label: 'Contacts' },
              {
                to: `${paths.contacts}?kind=${contact.kind}`,
                label: contact.kind === 'person' ? 'People' : 'Organizations',
              },
            ]}
          />
        }
        actions={<ContactActions card={card} mayWrite={mayWrite} onEdit={onEdit} />}
      >
        <span className="flex flex-wrap items-center gap-2 text-sm">
          {roles.map((role) => (
            <Chip key={role} tone="accent">
              {roleNames[role]}
            </Chip>
          ))}
          <Chip>{kindNames[contact.kind]}</Chip>
          {contact.otherNames.length > 0 && (
            <span className="wrap-anywhere">{`also ${contact.otherNames.join(', ')}`}</span>
          )}
        </span>
      </PageHeader>
      <div className="@container px-4 pt-5 pb-9 sm:px-9">
        <div className="grid gap-x-11 gap-y-8 @min-[48rem]:grid-cols-[minmax(0,1fr)_17.5rem]">
          <div className="grid min-w-0 content-start gap-8">
            {mayWrite && <Lookalikes card={card} />}
            <ContactMatters matters={matters} />
            <ContactIntakes intakes={intakes} />
            <Correspondence mails={card.mails} texts={card.texts} name={contact.name} />
          </div>
          <div className="grid content-start gap-6 border-line @max-[48rem]:border-t @max-[48rem]:pt-5 @min-[48rem]:border-l @min-[48rem]:pl-7">
            <ContactDetails contact={contact} />
          </div>
        </div>
      </div>
    </>
  );
}

function NoContact() {
  return (
    <PageHeader title="Contact not found">
      <p>This contact doesn’t exist, or it belongs to matters you can’t see.</p>
      <Link to={paths.contacts} className={`${buttonClass()} mt-5`}>
        Go to Contacts
      </Link>
    </PageHeader>
  );
}

/** A card while it loads. */
function CardSkeleton() {
  return (
    <div aria-hidden="true" className="@container px-4 pt-5 sm:px-9 sm:pt-7">
      <Skeleton className="h-3 w-32" />
      <Skeleton className="mt-2 h-8 w-64" />
      <Skeleton className="mt-3 h-5 w-48" />
      <div className="mt-8 grid gap-x-11 gap-y-8 @min-[48rem]:grid-cols-[minmax(0,1fr)_17.5rem]">
        <div>
          {['w-3/5', 'w-2/5', 'w-1/2', 'w-2/5', 'w-3/5'].map((width, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- placeholders have no names
            <div key={index} className="flex h-12 items-center border-b border-line">
              <Skeleton className={`h-3.5 ${width}`} />
            </div>
          ))}
        </div>
        <div className="grid content-start gap-3">
          <Skeleton className="h-4 w-20" />
          <Skeleton className="h-3.5 w-36" />
          <Skeleton className="h-3.5 w-44" />
          <Skeleton className="h-3.5 w-40" />
        </div>
      </div>
    </div>
  );
}

/** Intakes of a contact, and the matters that they became. */
function ContactIntakes({ intakes }: { intakes: readonly IntakeOfContact[] }) {
  if (intakes.length === 0) return null;
  return (
    <section>
      <CountedHeading count={intakes.length}>Intakes</CountedHeading>
      <ul className="border-t border-line">
        {intakes.map(({ id, number, name, description, receivedAt, case: matter }) => (
          <li
            key={id}
            className="flex min-h-10 flex-wrap items-center gap-x-3 border-b border-line py-2"
          >
            <span className="text-ink-3 tabular-nums">{number}</span>
            <Link
              to={paths.intake(id)}
              className="min-w-0 grow truncate font-medium hover:underline"
            >
              {description.split('\n')[0] || name}
            </Link>
            <span className="flex-none text-sm text-ink-2">
              {matter && (
                <>
                  {'became '}
                  <Link to={paths.caseDetails(matter.id)} className="link">
                    {matter.caseName}
                  </Link>
                </>
              )}
            </span>
            <time dateTime={receivedAt} className="flex-none text-sm text-ink-3">
              {formatDay(localDay(new Date(receivedAt)))}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The matters of a contact, and its role in each. */
function ContactMatters({ matters }: { matters: readonly MatterOfContact[] }) {
  return (
    <section className="@container">
      <CountedHeading count={matters.length}>Matters</CountedHeading>
      {matters.length === 0 ? (
        <p className="text-ink-2">Not a party of any matter that you see.</p>
      ) : (
        <Table
          aria-label="Matters"
          className="[--columns:minmax(0,2fr)_minmax(0,1fr)] before:absolute before:inset-x-2.5 before:top-0 before:border-t before:border-line @min-[36rem]:[--columns:minmax(0,2fr)_minmax(0,1fr)_minmax(0,0.9fr)_minmax(0,1fr)]"
        >
          {matters.map(({ case: matter, role }) => {
            const isArchived = matter.statusType === 'Archive';
            return (
              <TableRow key={`${matter.id} ${role}`}>
                <TableCell>
                  <Link
                    to={paths.caseDetails(matter.id)}
                    className="row-link block truncate font-medium"
                  >
                    {matter.caseName}
                  </Link>
                  <span className="block truncate text-note text-ink-2 tabular-nums">
                    {matter.caseNo ?? NOT_FILED}
                  </span>
                </TableCell>
                <TableCell>{roleNames[role]}</TableCell>
                <TableCell className="hidden text-ink-2 @min-[36rem]:block">
                  <span
                    aria-hidden="true"
                    className={cx(
                      'mr-2 inline-block size-[7px] rounded-full',
                      isArchived ? 'bg-ink-3' : 'bg-accent',
                    )}
                  />
                  {isArchived ? 'Archived' : matter.status}
                </TableCell>
                <TableCell className="hidden text-right text-ink-2 @min-[36rem]:block">
                  {matter.managingAttorney}
                </TableCell>
              </TableRow>
            );
          })}
        </Table>
      )}
    </section>
  );
}

const ContactDialog = lazyNamed(() => import('./components/ContactDialog.tsx'), 'ContactDialog');
const ConfirmDialog = lazyNamed(() => import('../../ui/ConfirmDialog.tsx'), 'ConfirmDialog');
const MergeDialog = lazyNamed(() => import('./components/MergeDialog.tsx'), 'MergeDialog');

/** Actions on a contact: write to it, change, merge and delete it. */
function ContactActions({ card, mayWrite, onEdit }: CardProps & { mayWrite: boolean }) {
  const { contact, matters } = card;
  const [dialog, setDialog] = useState<'merge' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const number = contact.phoneNumbers.map(toE164).find((found) => found !== undefined);
  const [email] = contact.emails;
  const [phone] = contact.phoneNumbers;
  return (
    <>
      {phone !== undefined && (
        <Button
          icon={Phone}
          onClick={() =>
            openCall({
              contact: { id: contact.id, name: contact.name },
              number: phone,
              matter: onlyMatterOf(matters),
            })
          }
        >
          Log call
        </Button>
      )}
      {number !== undefined && (
        <Link to={paths.messagesWith(number)} className={buttonClass()}>
          <MessageCircle />
          Text
        </Link>
      )}
      {email !== undefined && (
        <a href={`mailto:${email}`} className={buttonClass()}>
          <Mail />
          Email
        </a>
      )}
      {mayWrite && (
        <>
          <Button icon={Pencil} onClick={onEdit}>
            Edit
          </Button>
          <MenuButton
            label="More actions"
            icon={Ellipsis}
            entries={[
              { label: 'Merge with another contact', onSelect: () => setDialog('merge') },
              'line',
              { label: 'Delete contact', tone: 'red', onSelect: () => setDialog('delete') },
            ]}
          />
        </>
      )}
      {dialog === 'merge' && <MergeDialog contact={contact} other={null} onClose={close} />}
      {dialog === 'delete' && <DeleteQuestion contact={contact} onClose={close} />}
    </>
  );
}

type DeleteQuestionProps = Pick<ContactCard, 'contact'> & { onClose: () => void };

function DeleteQuestion({ contact, onClose }: DeleteQuestionProps) {
  const navigate = useNavigate();
  const { isBusy, attempt } = useAttempt();
  const run = async () => {
    const params = { id: contact.id };
    if (await attempt(params, () => deleteContact({ params }))) void navigate(paths.contacts);
    else onClose();
  };
  return (
    <ConfirmDialog
      open
      title={`Delete ${contact.name}?`}
      confirmLabel="Delete contact"
      busy={isBusy}
      onClose={onClose}
      onConfirm={() => void run()}
    >
      Only a contact without matters, intakes and links can be deleted.
    </ConfirmDialog>
  );
}

type Props = Pick<ContactCard, 'mails' | 'texts'> & { name: string };
type HistoryFilter = 'all' | 'mail' | 'text';

/** The reader's own mails and texts with a contact, newest first. */
function Correspondence({ mails, texts, name }: Props) {
  const [shown, setShown] = useState<HistoryFilter>('all');
  const today = useToday();
  const entries = entriesOf({ mails, texts, name });
  const listed = entries.filter(({ kind }) => shown === 'all' || kind === shown);
  const ways = [
    { value: 'all', label: 'All', count: entries.length },
    { value: 'mail', label: 'Email', count: mails.length },
    { value: 'text', label: 'Texts', count: texts.length },
  ] as const;
  return (
    <section>
      <CountedHeading
        count={0}
        aside={
          entries.length > 0 && (
            <div className="flex rounded-control border border-line-strong bg-surface p-0.5">
              {ways.map(({ value, label, count }) => (
                <button
                  key={value}
                  type="button"
                  aria-pressed={shown === value}
                  onClick={() => setShown(value)}
                  className={cx(
                    'h-7 rounded-small px-2.5 text-sm pointer-coarse:h-11',
                    shown === value ? 'bg-accent-soft font-medium text-accent-ink' : 'text-ink-2',
                  )}
                >
                  {`${label} `}
                  <span className="font-normal tabular-nums">{count}</span>
                </button>
              ))}
            </div>
          )
        }
      >
        Correspondence
      </CountedHeading>
      {entries.length === 0 && (
        <p className="text-ink-2">No messages from you. Other users’ messages are private.</p>
      )}
      <ul className={cx(listed.length > 0 && 'border-t border-line')}>
        {listed.map(({ id, kind, from, text, at, to }) => (
          <li key={id} className="border-b border-line">
            <Link to={to} className="flex min-h-[38px] items-center gap-3 py-2 hover:bg-hover">
              {kind === 'mail' ? (
                <Mail className="text-ink-3" />
              ) : (
                <MessageCircle className="text-ink-3" />
              )}
              <span className="sr-only">{kind === 'mail' ? 'Email' : 'Text'}</span>
              <span className="min-w-0 grow truncate">
                <span className="font-medium">{from}</span>
                <span className="text-ink-2">{` ${text}`}</span>
              </span>
              <time dateTime={at} className="flex-none text-sm text-ink-3 tabular-nums">
                {whenInList(at, today)}
              </time>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function entriesOf({ mails, texts, name }: Props) {
  const ofMail = mails.map(({ id, from, subject, date }) => ({
    id: `mail ${id}`,
    kind: 'mail' as const,
    from: from.name || from.email,
    text: subject || '(no subject)',
    at: date,
    to: paths.mail(id),
  }));
  const ofText = texts.map(({ id, status, from, to, body, dateSent }) => {
    const isTheirs = status === 'received';
    return {
      id: `text ${id}`,
      kind: 'text' as const,
      from: isTheirs ? name : 'You',
      text: `“${body}”`,
      at: dateSent,
      to: paths.messagesWith(isTheirs ? from : to),
    };
  });
  return [...ofMail, ...ofText].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

interface CountedHeadingProps {
  children: string;
  count: number;
  aside?: ReactNode;
}

/** The heading of a section of the card, with how much it holds. */
function CountedHeading({ children, count, aside }: CountedHeadingProps) {
  return (
    <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <h2 className="text-heading font-semibold">
        {children}
        {count > 0 && (
          <span className="ml-2 font-normal text-ink-3 tabular-nums">{formatCount(count)}</span>
        )}
      </h2>
      {aside}
    </div>
  );
}
