import { clabe } from 'clabe-validator';

/**
 * Formats a Mexican account number (CLABE, 18 digits): bank, branch, account and a check digit.
 *
 * @param bank 3 digits
 * @param branch 3 digits
 * @param account at most 11 digits
 */
export function formatClabe(bank: string, branch: string, account: string): string {
  const digits = bank + branch + account.padStart(11, '0');
  return digits + clabe.computeChecksum(digits);
}

/**
 * Formats a Nigerian account number (NUBAN, 10 digits): a serial number and a check digit over it and the
 * bank's code (Central Bank of Nigeria, Revised Standards on NUBAN, 2020).
 *
 * @param bank 3 digits for a bank, 5 for another institution
 * @param serial 9 digits
 */
export function formatNuban(bank: string, serial: string): string {
  const institution = bank.length === 3 ? `000${bank}` : `9${bank}`;
  const weighted = [...(institution + serial)].map((digit, index) => Number(digit) * (index % 3 === 1 ? 7 : 3));
  const sum = weighted.reduce((total, each) => total + each, 0);
  return serial + String((10 - (sum % 10)) % 10);
}

/** Formats a Brazilian company number (CNPJ, 14 digits): 12 digits and two check digits (Receita Federal, modulo 11). */
export function formatCnpj(root: string): string {
  const withCheckDigit = (digits: string) => {
    const sum = [...digits].toReversed().reduce((total, digit, index) => total + Number(digit) * ((index % 8) + 2), 0);
    const remainder = sum % 11;
    return digits + String(remainder < 2 ? 0 : 11 - remainder);
  };
  return withCheckDigit(withCheckDigit(root));
}
