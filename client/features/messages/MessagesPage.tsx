export function MessagesPage() {
  return <h1>MessagesPage</h1>;
}
