import { Frame } from '../parts/frame.tsx';
export function ComparePage() {
  return <Frame crumbs={[]} title="">x</Frame>;
}
