import { createEmptyHistoryState, registerHistory } from '@lexical/history';
import { $createLinkNode, $isLinkNode, $toggleLink, formatUrl, LinkNode } from '@lexical/link';
import {
  $isListNode,
  INSERT_ORDERED_LIST_COMMAND,
  INSERT_UNORDERED_LIST_COMMAND,
  ListItemNode,
  ListNode,
  registerList,
  REMOVE_LIST_COMMAND,
} from '@lexical/list';
import { $createQuoteNode, $isQuoteNode, QuoteNode, registerRichText } from '@lexical/rich-text';
import {
  $createParagraphNode,
  $createTextNode,
  $getRoot,
  $getSelection,
  $isRangeSelection,
  $setSelection,
  COMMAND_PRIORITY_HIGH,
  createEditor,
  FORMAT_TEXT_COMMAND,
  getNearestEditorFromDOMNode,
  HISTORY_MERGE_TAG,
  IS_APPLE,
  isHTMLElement,
  KEY_DOWN_COMMAND,
  KEY_ENTER_COMMAND,
  KEY_ESCAPE_COMMAND,
  type LexicalEditor,
  type LexicalNode,
  mergeRegister,
  ParagraphNode,
  PASTE_COMMAND,
  type PasteCommandType,
  type RangeSelection,
  SKIP_DOM_SELECTION_TAG,
  TextNode,
} from 'lexical';
import Bold from 'lucide-react/icons/bold';
import Italic from 'lucide-react/icons/italic';
import Link from 'lucide-react/icons/link';
import List from 'lucide-react/icons/list';
import ListOrdered from 'lucide-react/icons/list-ordered';
import Quote from 'lucide-react/icons/text-quote';
import Underline from 'lucide-react/icons/underline';
import {
  type KeyboardEvent,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { lazyNamed } from '../../../core/chunks.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { CONTROL_CLASS, useFieldControl } from '../../../ui/Field.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import type { MailContent } from '../rules.draft.ts';
import { $insertLines, $readLines, $showLines } from '../rules.editor.ts';
import { FORMATS, isAddressOfLink, linesOf, linesOfHtml, textOf } from '../rules.formatting.ts';
import type { LinkedWords } from './LinkDialog.tsx';

const LinkDialog = lazyNamed(() => import('./LinkDialog.tsx'), 'LinkDialog');

type Text = Pick<MailContent, 'text' | 'html'>;

interface MessageEditorProps {
  written: Text;
  onWrite: (text: Text) => void;
  message: Ref<HTMLDivElement>;
}

/** The text of the mail with its formatting, and the buttons that format it. */
export function MessageEditor({ written, onWrite, message }: MessageEditorProps) {
  const { id, ...control } = useFieldControl({});
  const { editor, marks, attach } = useEditor(written, onWrite);
  const { linking, askForLink, setLinking } = useLinkDialog(editor);
  useImperativeHandle(message, () => editor.getRootElement() as HTMLDivElement, [editor]);
  return (
    <>
      <div
        {...control}
        id={id}
        ref={attach}
        role="textbox"
        aria-multiline
        aria-labelledby={`${id}-label`}
        tabIndex={0}
        contentEditable
        suppressContentEditableWarning
        className={cx(CONTROL_CLASS, 'min-h-0 grow basis-0 overflow-y-auto py-[7px] wrap-anywhere')}
      />
      <Toolbar editor={editor} marks={marks} onLink={askForLink} />
      {linking && (
        // React passes a dialog's events to what is around it here, where a submit sends the mail.
        <div onSubmit={(event) => event.stopPropagation()}>
          <LinkDialog
            words={linking.words}
            onLink={(words) => {
              addLink(editor, linking.place, words);
              setLinking(null);
            }}
            onClose={() => setLinking(null)}
          />
        </div>
      )}
    </>
  );
}

/** Puts text at the start of an editor, and the caret behind it. */
export function typeAtStart(message: HTMLElement | null, text: string): void {
  const type = () => $getRoot().selectStart().insertText(text);
  getNearestEditorFromDOMNode(message)?.update(type, { discrete: true });
}

/** Formats at the caret. */
type Marks = { bold: boolean; italic: boolean; underline: boolean; link: boolean; block: Block };
type Block = 'plain' | 'bullet' | 'number' | 'quote';

const NO_MARKS: Marks = {
  bold: false,
  italic: false,
  underline: false,
  link: false,
  block: 'plain',
};

/** The editor of one text. What is written elsewhere, such as a signature, is shown in it too. */
function useEditor(written: Text, onWrite: (text: Text) => void) {
  const [editor] = useState(newEditor);
  const [marks, setMarks] = useState(NO_MARKS);
  /** As it was given, and as the editor writes the same. */
  const known = useRef<{ given: string; own: string }>(null);
  const write = useRef(onWrite);
  useEffect(() => {
    write.current = onWrite;
  });
  // In the same commit as its own writes; later, an older text could replace the editor's.
  useLayoutEffect(() => {
    const given = keyOf(written);
    if (known.current?.given === given) return;
    const tag = [SKIP_DOM_SELECTION_TAG, ...(known.current ? [] : [HISTORY_MERGE_TAG])];
    known.current = { given, own: '' };
    editor.update(() => $showLines(linesOf(written)), { discrete: true, tag });
    known.current.own = keyOf(editor.read(() => textOf($readLines())));
  }, [editor, written]);
  useEffect(
    () =>
      editor.registerUpdateListener(({ editorState, dirtyElements, dirtyLeaves, tags }) => {
        setMarks((before) => sameOr(before, editorState.read(marksAtCaret)));
        if (dirtyElements.size + dirtyLeaves.size === 0 || tags.has(SKIP_DOM_SELECTION_TAG)) return;
        const text = editorState.read(() => textOf($readLines()));
        const own = keyOf(text);
        if (known.current?.own === own) return;
        known.current = { given: own, own };
        write.current(text);
      }),
    [editor],
  );
  const attach = useCallback(
    (element: HTMLElement | null) => {
      editor.setRootElement(element);
      return () => editor.setRootElement(null);
    },
    [editor],
  );
  return { editor, marks, attach };
}

function keyOf({ text, html }: Text): string {
  return JSON.stringify([text, html]);
}

function sameOr(before: Marks, now: Marks): Marks {
  return JSON.stringify(before) === JSON.stringify(now) ? before : now;
}

const THEME = {
  link: 'link',
  quote: 'border-l-2 border-line pl-3 text-ink-2',
  list: { ul: 'list-disc pl-6', ol: 'list-decimal pl-6' },
  text: { underline: 'underline' },
};

function newEditor(): LexicalEditor {
  const editor = createEditor({
    namespace: 'message',
    nodes: [QuoteNode, ListNode, ListItemNode, LinkNode],
    theme: THEME,
    onError: (error) => {
      throw error;
    },
  });
  mergeRegister(
    registerRichText(editor),
    registerList(editor),
    registerHistory(editor, createEmptyHistoryState(), 300),
    // These keys are the panel's.
    editor.registerCommand(KEY_ESCAPE_COMMAND, () => true, COMMAND_PRIORITY_HIGH),
    editor.registerCommand(
      KEY_ENTER_COMMAND,
      (event) => event !== null && (event.ctrlKey || event.metaKey),
      COMMAND_PRIORITY_HIGH,
    ),
    editor.registerCommand(PASTE_COMMAND, pasteHtml, COMMAND_PRIORITY_HIGH),
    editor.registerNodeTransform(TextNode, dropOtherFormats),
    editor.registerNodeTransform(ParagraphNode, dropAlignment),
    editor.registerNodeTransform(QuoteNode, dropAlignment),
    editor.registerNodeTransform(LinkNode, dropUnsafeLink),
  );
  return editor;
}

/** HTML from other programs. The editor pastes its own format and plain text without help. */
function pasteHtml(event: PasteCommandType): boolean {
  const data = isPaste(event) ? event.clipboardData : null;
  const html = data?.getData('text/html') ?? '';
  if (html === '' || data?.types.includes('application/x-lexical-editor')) return false;
  event.preventDefault();
  $insertLines($selectionOrStart(), linesOfHtml(html));
  return true;
}

function isPaste(event: PasteCommandType): event is ClipboardEvent {
  return 'clipboardData' in event;
}

/** Keeps the formats of the buttons alone. */
function dropOtherFormats(node: TextNode) {
  if ((node.getFormat() & ~FORMATS) !== 0) node.setFormat(node.getFormat() & FORMATS);
  if (node.getStyle() !== '') node.setStyle('');
}

function dropAlignment(node: ParagraphNode | QuoteNode) {
  if (node.getFormatType() !== '') node.setFormat('');
  if (node.getIndent() !== 0) node.setIndent(0);
}

function dropUnsafeLink(node: LinkNode) {
  if (isAddressOfLink(node.getURL())) return;
  for (const child of node.getChildren()) node.insertBefore(child);
  node.remove();
}

function marksAtCaret(): Marks {
  const selection = $getSelection();
  if (!$isRangeSelection(selection)) return NO_MARKS;
  return {
    bold: selection.hasFormat('bold'),
    italic: selection.hasFormat('italic'),
    underline: selection.hasFormat('underline'),
    link: linkAt(selection) !== null,
    block: blockOf(selection.anchor.getNode()),
  };
}

function blockOf(node: LexicalNode): Block {
  const list = [node, ...node.getParents()].find($isListNode);
  if (list) return list.getListType() === 'number' ? 'number' : 'bullet';
  return $isQuoteNode(node.getTopLevelElement()) ? 'quote' : 'plain';
}

function linkAt(selection: RangeSelection): LinkNode | null {
  const node = selection.anchor.getNode();
  return [node, ...node.getParents()].find($isLinkNode) ?? null;
}

/** The selection to link, while its address is asked for. */
function useLinkDialog(editor: LexicalEditor) {
  const [linking, setLinking] = useState<{ place: RangeSelection; words: LinkedWords } | null>(
    null,
  );
  const askForLink = useCallback(() => {
    editor.update(
      () => {
        const selection = $selectionOrStart();
        const link = linkAt(selection);
        const text = link?.getTextContent() ?? selection.getTextContent();
        const words = { text, address: link?.getURL() ?? '', isLink: link !== null };
        setLinking({ place: selection.clone(), words });
      },
      { discrete: true },
    );
  }, [editor]);
  useEffect(
    () =>
      editor.registerCommand(
        KEY_DOWN_COMMAND,
        (event) => {
          const isLink = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
          if (!isLink || event.altKey || event.shiftKey) return false;
          event.preventDefault();
          // Elsewhere the key opens the palette.
          event.stopPropagation();
          askForLink();
          return true;
        },
        COMMAND_PRIORITY_HIGH,
      ),
    [editor, askForLink],
  );
  return { linking, askForLink, setLinking };
}

function $selectionOrStart(): RangeSelection {
  const selection = $getSelection();
  return $isRangeSelection(selection) ? selection : $getRoot().selectStart();
}

/** An empty address removes the link. */
function addLink(editor: LexicalEditor, place: RangeSelection, { text, address }: LinkedWords) {
  editor.update(() => {
    $setSelection(place.clone());
    const selection = $selectionOrStart();
    const link = linkAt(selection);
    const url = formatUrl(address);
    if (address === '') $toggleLink(null);
    else if (link && selection.isCollapsed()) link.setURL(url);
    else if (selection.isCollapsed())
      selection.insertNodes([$createLinkNode(url).append($createTextNode(text || address))]);
    else $toggleLink(url);
  });
  editor.focus();
}

function toggleQuote(editor: LexicalEditor) {
  editor.update(() => {
    const selection = $selectionOrStart();
    const isQuote = blockOf(selection.anchor.getNode()) === 'quote';
    const blocks = new Set(selection.getNodes().map((node) => node.getTopLevelElement()));
    for (const block of blocks)
      if (isQuote ? $isQuoteNode(block) : block?.getType() === 'paragraph')
        block?.replace(isQuote ? $createParagraphNode() : $createQuoteNode(), true);
  });
}

interface ToolbarProps {
  editor: LexicalEditor;
  marks: Marks;
  onLink: () => void;
}

/** One stop of the Tab key; the arrow keys move inside of it. */
function Toolbar({ editor, marks, onLink }: ToolbarProps) {
  const [at, setAt] = useState(0);
  const toggle = (name: 'bold' | 'italic' | 'underline') =>
    editor.dispatchCommand(FORMAT_TEXT_COMMAND, name);
  const toggleList = (block: 'bullet' | 'number') => {
    if (marks.block === block) editor.dispatchCommand(REMOVE_LIST_COMMAND, undefined);
    else if (block === 'bullet') editor.dispatchCommand(INSERT_UNORDERED_LIST_COMMAND, undefined);
    else editor.dispatchCommand(INSERT_ORDERED_LIST_COMMAND, undefined);
  };
  const act = (run: () => unknown) => () => {
    editor.update($selectionOrStart, { discrete: true });
    run();
    editor.focus();
  };
  const buttons = [
    { label: 'Bold', icon: Bold, key: 'B', isOn: marks.bold, run: act(() => toggle('bold')) },
    {
      label: 'Italic',
      icon: Italic,
      key: 'I',
      isOn: marks.italic,
      run: act(() => toggle('italic')),
    },
    {
      label: 'Underline',
      icon: Underline,
      key: 'U',
      isOn: marks.underline,
      run: act(() => toggle('underline')),
    },
    {
      label: 'Bulleted list',
      icon: List,
      isOn: marks.block === 'bullet',
      run: act(() => toggleList('bullet')),
    },
    {
      label: 'Numbered list',
      icon: ListOrdered,
      isOn: marks.block === 'number',
      run: act(() => toggleList('number')),
    },
    {
      label: 'Quote',
      icon: Quote,
      isOn: marks.block === 'quote',
      run: act(() => toggleQuote(editor)),
    },
    { label: 'Link', icon: Link, key: 'K', isOn: marks.link, run: onLink },
  ];
  const handleKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = (at + step + buttons.length) % buttons.length;
    setAt(next);
    const button = event.currentTarget.querySelectorAll('button')[next];
    if (isHTMLElement(button)) button.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its buttons have the focus
    <div
      role="toolbar"
      aria-label="Formatting"
      className="mt-1.5 flex flex-none"
      onKeyDown={handleKey}
    >
      {buttons.map(({ label, icon, key, isOn, run }, index) => (
        <Tooltip
          key={label}
          text={key === undefined ? label : `${label} (${IS_APPLE ? '⌘' : 'Ctrl '}${key})`}
        >
          <IconButton
            label={label}
            icon={icon}
            variant="quiet"
            size="small"
            aria-pressed={isOn}
            aria-keyshortcuts={key && `${IS_APPLE ? 'Meta' : 'Control'}+${key}`}
            tabIndex={index === at ? 0 : -1}
            className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
            onFocus={() => setAt(index)}
            // The selection stays in the text.
            onMouseDown={(event) => event.preventDefault()}
            onClick={run}
          />
        </Tooltip>
      ))}
    </div>
  );
}
