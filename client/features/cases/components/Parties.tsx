import type { LucideIcon } from 'lucide-react';
import Building from 'lucide-react/icons/building-2';
import Mail from 'lucide-react/icons/mail';
import MapPin from 'lucide-react/icons/map-pin';
import Phone from 'lucide-react/icons/phone';
import User from 'lucide-react/icons/user';
import type { ReactNode } from 'react';
import type { Case } from '@matterdesk/contract/cases.ts';
import { SectionHeading } from '../../../ui/SectionHeading.tsx';

/** The client and the opposing counsel, with their contact details. */
export function Parties({ matter: { clientInfo, opposingCounselInfo } }: { matter: Case }) {
  return (
    <>
      <Party heading="Client" {...clientInfo} />
      <Party heading="Opposing counsel" {...opposingCounselInfo} />
    </>
  );
}

interface PartyProps {
  heading: string;
  name: string;
  organization?: string;
  phoneNumber: string;
  email: string;
  address: string;
}

function Party({ heading, name, organization, phoneNumber, email, address }: PartyProps) {
  return (
    <section>
      <SectionHeading>{heading}</SectionHeading>
      <dl className="grid text-sm">
        <Line icon={User} label="Name">
          <span className="font-medium">{name}</span>
        </Line>
        {organization !== undefined && (
          <Line icon={Building} label="Organization">
            {organization}
          </Line>
        )}
        <Line icon={Phone} label="Phone number">
          <a href={`tel:${phoneNumber.replaceAll(/[^\d+]/g, '')}`} className={LINK}>
            {phoneNumber}
          </a>
        </Line>
        <Line icon={Mail} label="Email">
          <a href={`mailto:${email}`} className={LINK}>
            {email}
          </a>
        </Line>
        <Line icon={MapPin} label="Address">
          <span className="whitespace-pre-line">{address}</span>
        </Line>
      </dl>
    </section>
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
