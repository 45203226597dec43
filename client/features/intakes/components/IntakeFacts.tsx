import type { Intake, IntakeDetail } from '@matterdesk/contract/intakes.ts';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { formatDay } from '../../../ui/days.ts';
import { momentOf, reasonNames } from '../rules.ts';
import { DueMark } from './DueMark.tsx';

interface IntakeFactsProps {
  intake: Intake;
  answers: IntakeDetail['answers'];
  now: Date;
}

/** The story, and what is known. */
export function IntakeFacts({ intake, answers, now }: IntakeFactsProps) {
  const { description, DOI, SOL, phoneNumber, email, address, source, textConsent } = intake;
  const story = description ?? '';
  return (
    <div className="border-t border-line px-6 py-4">
      {intake.erasedAt !== undefined ? (
        <p className="text-ink-2">
          Erased {momentOf(intake.erasedAt, now)}. Names and dates stay for conflict checks.
        </p>
      ) : (
        story !== '' && (
          <p className="font-serif text-heading whitespace-pre-line wrap-anywhere">“{story}”</p>
        )
      )}
      <dl className="mt-3 grid grid-cols-[5.5rem_1fr] gap-x-3 gap-y-1.5">
        <Fact label="Next step" value={intake.nextStep}>
          <DueMark dueAt={intake.dueAt} now={now} />
        </Fact>
        <Fact label="DOI" value={DOI && formatDay(DOI)} />
        <Fact label="SOL" value={SOL && formatDay(SOL)} />
        <Fact label="Phone" value={phoneNumber} />
        <Fact label="Email" value={email} />
        <Fact label="Address" value={address} />
        <Fact label="Source" value={source} />
        <Fact label="Consultation" value={intake.consultAt && momentOf(intake.consultAt, now)} />
        <Fact
          label="Texts"
          value={textConsent && `Allowed on the form ${momentOf(textConsent.at, now)}`}
        />
        {intake.declined && (
          <Fact
            label={intake.declined.referredTo ? 'Referred' : 'Declined'}
            value={[reasonNames[intake.declined.reason], intake.declined.note]
              .filter(Boolean)
              .join(': ')}
          >
            {intake.declined.referredTo && (
              <Link
                to={paths.contact(intake.declined.referredTo)}
                className="text-accent hover:underline"
              >
                To whom
              </Link>
            )}
          </Fact>
        )}
        {answers.map(({ label, value }) => (
          <Fact key={label} label={label} value={value} />
        ))}
      </dl>
    </div>
  );
}

function Fact(props: { label: string; value: string | null; children?: ReactNode }) {
  if (props.value === null || props.value === '') return null;
  return (
    <>
      <dt className="text-ink-2 wrap-anywhere">{props.label}</dt>
      <dd className="flex flex-wrap gap-x-2 whitespace-pre-line wrap-anywhere">
        {props.value}
        {props.children}
      </dd>
    </>
  );
}
