import { Link } from 'react-router';
import type { EntryAnswer } from '@matterdesk/contract/stream.ts';
import { fileOfLink } from '../../../core/file-link.ts';
import { addressOf } from '../rules.ts';

const MAX_QUOTATION_LENGTH = 300;

interface AnswerQuoteProps {
  answer: EntryAnswer;
  isWhole: boolean;
}

/** The quotation of an answer, with the page of its file, which opens there. */
export function AnswerQuote({ answer, isWhole }: AnswerQuoteProps) {
  const { quotation, url, page } = answer;
  const isCut = !isWhole && quotation.length > MAX_QUOTATION_LENGTH;
  const chip = <span className="stream-mention">{`p. ${page}`}</span>;
  const file = url === null ? null : fileOfLink(url);
  return (
    <p className="stream-answer" dir="auto">
      <span className="font-serif">
        {`“${isCut ? `${quotation.slice(0, MAX_QUOTATION_LENGTH).toWellFormed()}…` : quotation}”`}
      </span>{' '}
      {url !== null && file ? (
        <Link
          to={addressOf(url)}
          state={{ isFromCase: true, place: { page, version: file.version, quotation } }}
        >
          <bdi>{file.name}</bdi> {chip}
        </Link>
      ) : (
        <span className="text-sm text-ink-3">No longer in this matter {chip}</span>
      )}
    </p>
  );
}
