import auditLog from './th/audit-log.json' with { type: 'json' };
import crypto from './th/crypto.json' with { type: 'json' };
import decisions from './th/decisions.json' with { type: 'json' };
import integration from './th/integration.json' with { type: 'json' };
import join from './th/join.json' with { type: 'json' };
import me from './th/me.json' with { type: 'json' };
import merchants from './th/merchants.json' with { type: 'json' };
import newLink from './th/new-link.json' with { type: 'json' };
import overview from './th/overview.json' with { type: 'json' };
import settings from './th/settings.json' with { type: 'json' };
import shell from './th/shell.json' with { type: 'json' };
import signIn from './th/sign-in.json' with { type: 'json' };
import team from './th/team.json' with { type: 'json' };
import transactions from './th/transactions.json' with { type: 'json' };

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
