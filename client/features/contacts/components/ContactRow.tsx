import type { Contact } from '@matterdesk/contract/contacts.ts';
import Building from 'lucide-react/icons/building-2';
import User from 'lucide-react/icons/user';
import { memo } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { TableCell } from '../../../ui/TableCell.tsx';
import { TableRow } from '../../../ui/TableRow.tsx';
import { kindNames } from '../rules.ts';

export const NARROW = 'hidden @min-[30rem]:block';
export const WIDE = 'hidden @min-[48rem]:block';

interface ContactRowProps {
  contact: Contact;
  /** Index in the list. */
  index: number;
  /** Pixels below the first row. */
  offset: number;
  isActive: boolean;
  /** Whether the Tab key stops here. */
  isStop: boolean;
}

/** A row of the list; a click anywhere on it opens the card. */
export const ContactRow = memo(function ContactRow(props: ContactRowProps) {
  const { contact, index, offset, isActive, isStop } = props;
  const { id, kind, name, otherNames, organisation, phoneNumbers, emails, address } = contact;
  const Icon = kind === 'person' ? User : Building;
  const second = organisation ?? otherNames[0] ?? kindNames[kind];
  return (
    <TableRow
      data-row={id}
      aria-rowindex={index + 2}
      selected={isActive}
      style={{ transform: `translateY(${offset}px)` }}
      className="absolute! top-0 left-0"
    >
      <TableCell className="flex items-center gap-3">
        <Icon className="text-ink-3" />
        <span className="min-w-0">
          <Link
            to={paths.contact(id)}
            tabIndex={isStop ? 0 : -1}
            title={name}
            className="row-link block truncate font-medium"
          >
            {name}
          </Link>
          <span className="block truncate text-note text-ink-2">{second}</span>
        </span>
      </TableCell>
      <TableCell className={NARROW}>
        <span className="tabular-nums">{phoneNumbers[0]}</span>
        <More count={phoneNumbers.length - 1} />
      </TableCell>
      <TableCell className={WIDE}>
        {emails[0]}
        <More count={emails.length - 1} />
      </TableCell>
      <TableCell className={`${WIDE} text-ink-2`}>{address?.replaceAll('\n', ', ')}</TableCell>
    </TableRow>
  );
});

function More({ count }: { count: number }) {
  return count > 0 && <span className="text-note text-ink-3">{` +${count}`}</span>;
}
