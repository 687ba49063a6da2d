package dev.once.examples.planning;

import java.util.UUID;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
@Transactional
class OrganizationService {
  private final OrganizationRepository organizations;
  private final Journal journal;

  OrganizationService(OrganizationRepository organizations, Journal journal) {
    this.organizations = organizations;
    this.journal = journal;
  }

  Organization create(Call call, NewOrganization body) {
    Organization created = organizations.insert(call.tenant(), body.name());
    // Nothing is derived from organizations, so there is no effect.
    journal.record(call, Entry.created(created, body));
    return created;
  }

  @Transactional(readOnly = true)
  Organization get(Call call, UUID id) {
    return organizations
        .find(call.tenant(), id)
        .orElseThrow(() -> Refusal.notFound(Organization.KIND, id));
  }
}
