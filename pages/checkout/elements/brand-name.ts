import creditCardType from 'credit-card-type';

/** `American Express` for `american-express`: a scheme's name for people; an unknown code as it is. */
export function brandName(brand: string): string {
  return creditCardType.getTypeInfo(brand)?.niceType ?? brand;
}
