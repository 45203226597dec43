import type { LucideIcon } from 'lucide-react';
import Building from 'lucide-react/icons/building-2';
import Cake from 'lucide-react/icons/cake';
import Mail from 'lucide-react/icons/mail';
import MapPin from 'lucide-react/icons/map-pin';
import PenLine from 'lucide-react/icons/pen-line';
import Phone from 'lucide-react/icons/phone';
import Printer from 'lucide-react/icons/printer';
import User from 'lucide-react/icons/user';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Contact } from '@matterdesk/contract/contacts.ts';
import { paths } from '../../../core/paths.ts';
import { formatDay, localDay } from '../../../ui/days.ts';
import { SectionHeading } from '../../../ui/SectionHeading.tsx';
import { relationNames } from '../rules.ts';

const LINK = 'underline-offset-3 hover:underline';

/** Numbers, addresses, links and notes. */
export function ContactDetails({ contact }: { contact: Contact }) {
  const { phoneNumbers, emails, address, organisation: firm, links, notes } = contact;
  const { dateOfBirth, textConsent, fax, letterName, salutation } = contact;
  const hasDetails = phoneNumbers.length > 0 || emails.length > 0 || address !== null || fax;
  const isDescribed = dateOfBirth || firm || letterName || salutation;
  return (
    <>
      <section>
        <SectionHeading>Details</SectionHeading>
        {!hasDetails && <p className="text-sm text-ink-2">No numbers and addresses</p>}
        <ul className="grid gap-1 text-sm">
          {phoneNumbers.map((number, index) => (
            <Line
              key={number}
              icon={Phone}
              note={index === 0 ? noteOf(phoneNumbers.length > 1, textConsent?.at) : ''}
            >
              <a href={`tel:${number.replaceAll(/[^\d+]/g, '')}`} className={LINK}>
                {number}
              </a>
            </Line>
          ))}
          {fax && (
            <Line icon={Printer} note="fax">
              {fax}
            </Line>
          )}
          {emails.map((email, index) => (
            <Line key={email} icon={Mail} note={index === 0 && emails.length > 1 ? 'main' : ''}>
              <a href={`mailto:${email}`} className={LINK}>
                {email}
              </a>
            </Line>
          ))}
          {address && (
            <Line icon={MapPin}>
              <span className="whitespace-pre-line">{address}</span>
            </Line>
          )}
        </ul>
      </section>
      {isDescribed && (
        <section>
          <SectionHeading>About</SectionHeading>
          <ul className="grid gap-1 text-sm">
            {dateOfBirth && <Line icon={Cake}>{`Born ${formatDay(dateOfBirth)}`}</Line>}
            {firm && <Line icon={Building}>{firm}</Line>}
            {letterName && (
              <Line icon={PenLine} note="in letters">
                {letterName}
              </Line>
            )}
            {salutation && (
              <Line icon={PenLine} note="salutation">
                {salutation}
              </Line>
            )}
          </ul>
        </section>
      )}
      {links.length > 0 && (
        <section>
          <SectionHeading>Linked</SectionHeading>
          <ul className="grid gap-1 text-sm">
            {links.map(({ contact: other, relation }) => (
              <Line
                key={`${other.id} ${relation}`}
                icon={other.kind === 'person' ? User : Building}
                note={relationNames[relation].toLowerCase()}
              >
                <Link to={paths.contact(other.id)} className={LINK}>
                  {other.name}
                </Link>
              </Line>
            ))}
          </ul>
        </section>
      )}
      {notes && (
        <section>
          <SectionHeading>Notes</SectionHeading>
          <p className="text-sm whitespace-pre-line text-ink-2">{notes}</p>
        </section>
      )}
    </>
  );
}

function noteOf(isMain: boolean, consentAt: string | undefined): string {
  const consent =
    consentAt === undefined ? '' : `may text since ${formatDay(localDay(new Date(consentAt)))}`;
  return [isMain && 'main', consent].filter(Boolean).join(', ');
}

function Line(props: { icon: LucideIcon; note?: string; children: ReactNode }) {
  return (
    <li className="flex min-h-6 items-start gap-2 py-[3px] wrap-anywhere">
      <props.icon className="mt-px text-ink-3" />
      <div className="min-w-0">
        {props.children}
        {props.note && <span className="block text-note text-ink-3">{props.note}</span>}
      </div>
    </li>
  );
}
