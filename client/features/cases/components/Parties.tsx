import type { LucideIcon } from 'lucide-react';
import Building from 'lucide-react/icons/building-2';
import Mail from 'lucide-react/icons/mail';
import MapPin from 'lucide-react/icons/map-pin';
import Phone from 'lucide-react/icons/phone';
import User from 'lucide-react/icons/user';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Case } from '@matterdesk/contract/cases.ts';
import { openCall } from '../../../core/call-card.ts';
import { paths } from '../../../core/paths.ts';
import { useAppSelector } from '../../../core/store.ts';
import { toE164 } from '../../../core/textable.ts';
import { SectionHeading } from '../../../ui/SectionHeading.tsx';

interface PartiesProps {
  matter: Case;
  /** Ids of their contacts, once known. */
  contactIds: { clientInfo?: string; opposingCounselInfo?: string };
}

/** The client and the opposing counsel, with their contact details. */
export function Parties({ matter, contactIds }: PartiesProps) {
  const { clientInfo, opposingCounselInfo } = matter;
  return (
    <>
      <Party heading="Client" matter={matter} contactId={contactIds.clientInfo} {...clientInfo} />
      <Party
        heading="Opposing counsel"
        matter={matter}
        contactId={contactIds.opposingCounselInfo}
        {...opposingCounselInfo}
      />
    </>
  );
}

interface PartyProps {
  heading: string;
  matter: Case;
  contactId: string | undefined;
  name: string | null;
  organization?: string | null;
  phoneNumber: string | null;
  email: string | null;
  address: string | null;
}

function Party(props: PartyProps) {
  const { heading, matter, contactId, name, organization, phoneNumber, email, address } = props;
  const user = useAppSelector((state) => state.user.current);
  const number = toE164(phoneNumber ?? '');
  const canText = number !== undefined && user?.twilioConfig.twilioPhoneNumber != null;
  const textPath = canText ? paths.messagesWith(number) : undefined;
  const isEmpty = !name && !organization && !phoneNumber && !email && !address;
  const canMail = user?.googleRefreshToken != null && email !== null;
  const emailPath = canMail ? paths.emailTo(email) : undefined;
  return (
    <section>
      <SectionHeading>{heading}</SectionHeading>
      {isEmpty && <p className="text-sm text-ink-2">Not known yet</p>}
      <dl className="grid text-sm">
        {name && (
          <Line icon={User} label="Name">
            {contactId === undefined ? (
              <span className="font-medium">{name}</span>
            ) : (
              <Link to={paths.contact(contactId)} className={`font-medium ${LINK}`}>
                {name}
              </Link>
            )}
          </Line>
        )}
        {organization && (
          <Line icon={Building} label="Organization">
            {organization}
          </Line>
        )}
        {phoneNumber && (
          <Line icon={Phone} label="Phone number">
            <Reach here={textPath} away={`tel:${phoneNumber.replaceAll(/[^\d+]/g, '')}`}>
              {phoneNumber}
            </Reach>
            <button
              type="button"
              aria-label={name ? `Log call with ${name}` : undefined}
              className="link ml-2 text-note"
              onClick={() =>
                openCall({
                  contact: contactId === undefined || !name ? null : { id: contactId, name },
                  typed: contactId === undefined ? (name ?? phoneNumber) : '',
                  number: phoneNumber,
                  matter: { id: matter.id, label: matter.caseName },
                })
              }
            >
              Log call
            </button>
          </Line>
        )}
        {email && (
          <Line icon={Mail} label="Email">
            <Reach here={emailPath} away={`mailto:${email}`}>
              {email.slice(0, email.lastIndexOf('@'))}
              <wbr />
              {email.slice(email.lastIndexOf('@'))}
            </Reach>
          </Line>
        )}
        {address && (
          <Line icon={MapPin} label="Address">
            <span className="whitespace-pre-line">{address}</span>
          </Line>
        )}
      </dl>
    </section>
  );
}

/** Opens Messages or Compose here, or else the device's own program. */
function Reach({
  here,
  away,
  children,
}: {
  here: string | undefined;
  away: string;
  children: ReactNode;
}) {
  return here === undefined ? (
    <a href={away} className={LINK}>
      {children}
    </a>
  ) : (
    <Link to={here} className={LINK}>
      {children}
    </Link>
  );
}

const LINK = 'underline-offset-3 hover:underline';

function Line(props: { icon: LucideIcon; label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-6 items-start gap-2 py-[3px] wrap-anywhere">
      <dt>
        <props.icon className="mt-px text-ink-3" />
        <span className="sr-only">{props.label}</span>
      </dt>
      <dd className="min-w-0">{props.children}</dd>
    </div>
  );
}
