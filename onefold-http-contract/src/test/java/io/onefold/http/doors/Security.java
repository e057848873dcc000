package io.onefold.http.doors;

import io.onefold.http.contract.Business;
import io.onefold.http.contract.Setting;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** What an application has before its doors: whoever may not ask gets no further. */
final class Security extends HttpFilter {
    private static final long serialVersionUID = 1;

    private final transient Business business;

    Security(Business business) {
        this.business = business;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (business.admits(request.getHeader(Setting.USER))) {
            chain.doFilter(request, response);
        } else {
            response.sendError(403);
        }
    }
}
