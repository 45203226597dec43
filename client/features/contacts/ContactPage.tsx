import ChevronRight from 'lucide-react/icons/chevron-right';
import { Link, useParams } from 'react-router';
import type { ContactCard } from '@matterdesk/contract/contacts.ts';
import { roleNames } from '../../core/party-roles.ts';
import { paths } from '../../core/paths.ts';
import { useResource } from '../../core/use-resource.ts';
import { useViewed } from '../../core/viewed.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { Chip } from '../../ui/Chip.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StaleNotice } from '../../ui/StaleNotice.tsx';
import { CardSkeleton } from './components/CardSkeleton.tsx';
import { ContactActions } from './components/ContactActions.tsx';
import { ContactDetails } from './components/ContactDetails.tsx';
import { ContactIntakes } from './components/ContactIntakes.tsx';
import { ContactMatters } from './components/ContactMatters.tsx';
import { Correspondence } from './components/Correspondence.tsx';
import { Lookalikes } from './components/Lookalikes.tsx';
import { useMayWrite } from './components/use-may-write.ts';
import { kindNames } from './rules.ts';
import { contactCard } from './slice.ts';

/** The card of a contact: everything that the firm keeps of it and the reader may see. */
export function ContactPage() {
  const { id = '' } = useParams();
  const { data, failure, status, refresh } = useResource(contactCard, id, { gather: 150 });
  if (failure?.status === 404) return <NoContact />;
  if (data)
    return (
      <>
        {failure && (
          <StaleNotice onRetry={refresh} className="mx-4 mt-4 rounded-card sm:mx-9">
            {`This card may be out of date: ${failure.message}`}
          </StaleNotice>
        )}
        <Card key={data.contact.id} card={data} />
      </>
    );
  if (!failure) return <CardSkeleton />;
  return (
    <ErrorState
      title="Couldn’t load the contact"
      detail={failure.message}
      busy={status === 'loading'}
      onRetry={refresh}
    />
  );
}

function Card({ card }: { card: ContactCard }) {
  const { contact, matters, intakes } = card;
  const mayWrite = useMayWrite();
  useViewed('contact', contact.id);
  const roles = [...new Set(matters.map(({ role }) => role))];
  return (
    <>
      <PageHeader
        title={contact.name}
        trail={<Trail kind={contact.kind} />}
        actions={<ContactActions card={card} mayWrite={mayWrite} />}
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

function Trail({ kind }: Pick<ContactCard['contact'], 'kind'>) {
  const link = 'inline-flex min-h-6 items-center underline-offset-3 hover:text-ink hover:underline';
  return (
    <nav aria-label="Breadcrumb">
      <ol className="flex items-center gap-1.5">
        <li>
          <Link to={paths.contacts} className={link}>
            Contacts
          </Link>
        </li>
        <li className="flex items-center gap-1.5">
          <ChevronRight className="size-3.5!" />
          <Link to={`${paths.contacts}?kind=${kind}`} className={link}>
            {kind === 'person' ? 'People' : 'Organizations'}
          </Link>
        </li>
      </ol>
    </nav>
  );
}

function NoContact() {
  return (
    <PageHeader title="Contact not found">
      <p>No contact has this address, or it belongs to matters that you do not see.</p>
      <Link to={paths.contacts} className={`${buttonClass()} mt-5`}>
        Go to Contacts
      </Link>
    </PageHeader>
  );
}
