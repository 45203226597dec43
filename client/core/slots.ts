// Fields, dialogs and links that pages pass from one feature to another, which cannot import it.

import {
  type ComponentType,
  type Ref,
  type RefObject,
  createContext,
  type ReactNode,
  useContext,
} from 'react';
import { useNavigate } from 'react-router';
import type { WalledKind } from '@matterdesk/contract/access.ts';
import type { Case } from '@matterdesk/contract/cases.ts';
import type { Contact, PartyRole } from '@matterdesk/contract/contacts.ts';
import type { Accept, CaseProposal } from '@matterdesk/contract/intake-acceptance.ts';
import type { Option } from '../ui/option.ts';
import { paths } from './paths.ts';
import { useAttempt } from './use-attempt.ts';

export interface CaseFieldProps {
  value: Option | null;
  onChange: (option: Option | null) => void;
  'aria-label'?: string;
  withIcon?: boolean;
  placeholder?: string;
  onBlur?: () => void;
  ref?: Ref<{ focus: () => void }>;
  className?: string;
}

/** The dropdown of all cases, for features other than cases. */
export type CaseField = ComponentType<CaseFieldProps>;

/** Source of a new case: its known details, and the call that opens it. */
export interface CaseSource {
  title: string;
  /** Names from this intake do not count as conflicts. */
  intakeId: string;
  known: CaseProposal;
  open: (body: Accept, idempotencyKey: string) => Promise<{ case: Case }>;
}

/** 'Add New Case', for features other than cases. */
export type CaseDialog = ComponentType<{
  source: CaseSource;
  onClose: () => void;
  onOpened: (opened: Case) => void;
}>;

/** Props for the dropdown of all contacts. */
export interface ContactFieldProps {
  value: Option | null;
  onChange: (option: Option | null) => void;
  'aria-label'?: string;
  placeholder?: string;
  /** Ids of contacts that are not offered. */
  without?: readonly string[];
  onBlur?: () => void;
  ref?: Ref<{ focus: () => void }>;
  className?: string;
}

/** The dropdown of all contacts, for features other than contacts. */
export type ContactField = ComponentType<ContactFieldProps>;

export interface ContactHintsProps {
  /** The name as it is being typed, and the input that it is typed into. */
  name: string;
  /** Whether the name was typed already when this was first shown. */
  isTyped?: boolean;
  input: RefObject<HTMLInputElement | null>;
  onPick: (contact: Contact) => void;
}

/** Existing contacts offered under a name, for features other than contacts. */
export type ContactHints = ComponentType<ContactHintsProps>;

/** Renders a link to the contact that an email address or a phone number belongs to. */
type ContactLinkOf = (address: string) => ReactNode;

/** Links to contacts, for features other than contacts. */
export const ContactLinkContext = createContext<ContactLinkOf | null>(null);

/** Props for the 'Access' dialog of a case or an intake. */
export interface MatterAccessProps {
  kind: WalledKind;
  id: string;
  name: string;
  /** Called after a change of access in this browser, which receives no event about it. */
  onSaved: () => void;
  onClose: () => void;
}

/** The 'Access' dialog, for features other than access. */
export type MatterAccess = ComponentType<MatterAccessProps>;

export interface NameCheckProps {
  /** The name as it is being typed. */
  name: string;
  partyRole: PartyRole | null;
  /** The case or intake being checked; its own names are not hits. */
  caseId?: string;
  intakeId?: string;
}

/** Conflict matches under a name as it is typed, for features other than conflicts. */
export type NameCheck = ComponentType<NameCheckProps>;

/** A text from which a task, an event or a deadline is made; with its entry, which then shows what was made. */
export type SourceText = {
  title: string;
  text: string;
  source?: { type: 'entry'; id: string } | null;
};

/** One of the user's mails, or their texts with a number. */
type IntakeOrigin = { fromMail: string } | { fromNumber: string; name?: string };
export type MakeIntake = (from: IntakeOrigin, idempotencyKey: string) => Promise<{ id: string }>;

interface IntakeFinderProps {
  /** An email address or a phone number; empty for none. */
  address: string;
  /** When the mail arrived, as ISO 8601. An intake received later belongs to it, even if closed. */
  since?: string;
  /** @param id of the intake; null without one */
  children: (id: string | null) => ReactNode;
}
/** Finds the existing intake of a sender. */
export type IntakeFinder = ComponentType<IntakeFinderProps>;

/** Intakes made of mails and texts, for features other than intakes. */
export const IntakesContext = createContext<{ make: MakeIntake; Finder: IntakeFinder } | null>(
  null,
);

/** Makes an intake and opens it; null where intakes are not at hand. */
export function useMakeIntake() {
  const intakes = useContext(IntakesContext);
  const { isBusy, attempt } = useAttempt();
  const navigate = useNavigate();
  if (!intakes) return null;
  const make = (from: IntakeOrigin) =>
    void attempt(from, async (key) => {
      const { id } = await intakes.make(from, key);
      await navigate(paths.intake(id));
    });
  return { isBusy, make, Finder: intakes.Finder };
}
