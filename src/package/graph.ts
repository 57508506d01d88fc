/** The first cycle of a graph, as a path that ends where it began; null when there is none. */
export function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  for (const start of edges.keys()) {
    const path: string[] = [];
    const onPath = new Set<string>();
    const stack: { node: string; next: number }[] = [];
    const enter = (node: string) => {
      stack.push({ node, next: 0 });
      path.push(node);
      onPath.add(node);
    };
    if (!done.has(start)) enter(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const child = edges.get(top.node)?.[top.next++];
      if (child === undefined) {
        done.add(top.node);
        onPath.delete(top.node);
        path.pop();
        stack.pop();
      } else if (onPath.has(child)) return [...path.slice(path.indexOf(child)), child];
      else if (!done.has(child) && edges.has(child)) enter(child);
    }
  }
  return null;
}
