/** Parameters of each page of the library's list, whatever its filter. `main.ts` requests the first page early. */
export const LIBRARY_PAGE = { include: 'poster,events', limit: '120' };
