import auditLog from './en/audit-log.json' with { type: 'json' };
import crypto from './en/crypto.json' with { type: 'json' };
import decisions from './en/decisions.json' with { type: 'json' };
import integration from './en/integration.json' with { type: 'json' };
import join from './en/join.json' with { type: 'json' };
import me from './en/me.json' with { type: 'json' };
import merchants from './en/merchants.json' with { type: 'json' };
import newLink from './en/new-link.json' with { type: 'json' };
import overview from './en/overview.json' with { type: 'json' };
import settings from './en/settings.json' with { type: 'json' };
import shell from './en/shell.json' with { type: 'json' };
import signIn from './en/sign-in.json' with { type: 'json' };
import team from './en/team.json' with { type: 'json' };
import transactions from './en/transactions.json' with { type: 'json' };

/** One file for each area of the account area; in keys their names have `_` for `-`. */
export default {
  audit_log: auditLog,
  crypto,
  decisions,
  integration,
  join,
  me,
  merchants,
  new_link: newLink,
  overview,
  settings,
  shell,
  sign_in: signIn,
  team,
  transactions,
};
