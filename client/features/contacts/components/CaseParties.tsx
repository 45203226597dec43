import Ellipsis from 'lucide-react/icons/ellipsis';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Party } from '@matterdesk/contract/contacts.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { roleNames } from '../../../core/party-roles.ts';
import { paths } from '../../../core/paths.ts';
import type { NameCheck } from '../../../core/slots.ts';
import { useMay } from '../../../core/store.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { BATCH_MS, useResource } from '../../../core/use-resource.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { MenuButton } from '../../../ui/Menu.tsx';
import { SectionHeading } from '../../../ui/SectionHeading.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { StaleNotice } from '../../../ui/StaleNotice.tsx';
import { removeParty } from '../api.ts';
import { partiesOf } from '../slice.ts';

const PartyDialog = lazyNamed(() => import('./PartyDialog.tsx'), 'PartyDialog');

type OpenDialog = { kind: 'add' } | { kind: 'change' | 'remove'; party: Party };

/** Everyone else in a case besides its client and its opposing counsel, each a contact. */
export function CaseParties({ caseId, nameCheck }: { caseId: string; nameCheck: NameCheck }) {
  const { data, failure, refresh } = useResource(partiesOf, caseId, { batchMs: BATCH_MS });
  const mayWrite = useMay('createCases', 'handleIntakes');
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const close = () => setOpen(null);
  const others = data?.filter(({ embedded }) => embedded === null) ?? [];
  return (
    <section aria-label="Other parties">
      <SectionHeading
        aside={
          mayWrite && (
            <Button size="small" icon={Plus} onClick={() => setOpen({ kind: 'add' })}>
              Add party
            </Button>
          )
        }
      >
        Other parties
      </SectionHeading>
      {failure && (
        <StaleNotice
          onRetry={refresh}
        >{`Couldn’t load the parties: ${failure.message}`}</StaleNotice>
      )}
      {!data && !failure && <Skeleton className="h-9 w-full" />}
      {data && others.length === 0 && <p className="text-sm text-ink-2">None yet</p>}
      <ul className="grid gap-1">
        {others.map((party) => (
          <PartyLine key={party.id} party={party} mayWrite={mayWrite} onOpen={setOpen} />
        ))}
      </ul>
      {(open?.kind === 'add' || open?.kind === 'change') && (
        <PartyDialog
          caseId={caseId}
          {...(open.kind === 'change' && {
            party: data?.find(({ id }) => id === open.party.id) ?? open.party,
          })}
          nameCheck={nameCheck}
          onClose={close}
        />
      )}
      {open?.kind === 'remove' && (
        <RemoveQuestion caseId={caseId} party={open.party} onClose={close} />
      )}
    </section>
  );
}

interface PartyLineProps {
  party: Party;
  mayWrite: boolean;
  onOpen: (open: OpenDialog) => void;
}

function PartyLine({ party, mayWrite, onOpen }: PartyLineProps) {
  const { contact, role, note } = party;
  return (
    <li className="flex items-start gap-2">
      <div className="min-w-0 grow text-sm">
        <Link
          to={paths.contact(contact.id)}
          className="font-medium underline-offset-3 wrap-anywhere hover:underline"
        >
          {contact.name}
        </Link>
        <span className="block text-note text-ink-2 wrap-anywhere">
          {note === '' ? roleNames[role] : `${roleNames[role]} · ${note}`}
        </span>
      </div>
      {mayWrite && (
        <MenuButton
          label={`Actions for ${contact.name}`}
          icon={Ellipsis}
          variant="quiet"
          size="small"
          entries={[
            { label: 'Change', onSelect: () => onOpen({ kind: 'change', party }) },
            { label: 'Remove', tone: 'red', onSelect: () => onOpen({ kind: 'remove', party }) },
          ]}
        />
      )}
    </li>
  );
}

interface RemoveQuestionProps {
  caseId: string;
  party: Party;
  onClose: () => void;
}

function RemoveQuestion({ caseId, party, onClose }: RemoveQuestionProps) {
  const { isBusy, attempt } = useAttempt();
  const run = async () => {
    await attempt(party.id, () => removeParty({ params: { id: caseId, partyId: party.id } }));
    onClose();
  };
  return (
    <ConfirmDialog
      open
      title={`Remove ${party.contact.name} from this case?`}
      confirmLabel="Remove"
      busy={isBusy}
      onClose={onClose}
      onConfirm={() => void run()}
    >
      The contact itself stays.
    </ConfirmDialog>
  );
}
