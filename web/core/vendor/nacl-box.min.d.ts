export const nacl: any;
