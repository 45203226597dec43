import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { buttonClass } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { paths } from './paths.ts';

interface AdminsOnlyProps {
  icon: LucideIcon;
  /** The page's title. */
  page: string;
  /** 'The record is for admins' */
  title: string;
  /** The way for another user, in a sentence. */
  children: ReactNode;
}

/** In place of a page for admins that another user opened, such as from an old bookmark. */
export function AdminsOnly({ icon, page, title, children }: AdminsOnlyProps) {
  return (
    <>
      <PageHeader title={page} />
      <EmptyState
        icon={icon}
        title={title}
        action={
          <Link to={paths.dashboard} className={buttonClass({})}>
            Open the dashboard
          </Link>
        }
      >
        {children}
      </EmptyState>
    </>
  );
}
